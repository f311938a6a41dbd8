"""Examples of informal and formal texts."""

from annotation.protocols.guidelines.examples import Case, Examples, Family, Rewriting

_TO_FORMAL = Examples(
    guide=Case(
        source="{hey}, {gotta} cancel the meeting on friday {cos} i'm ill",
        full="{Unfortunately}, {I must} cancel the meeting on Friday {because} I am ill.",
        half=Rewriting(
            "{Hey}, I have to cancel the meeting on Friday because I'm ill.",
            "The spelling is mended, but the greeting and “I'm” are those of a chat.",
        ),
        drifted=Rewriting(
            "{Unfortunately}, {I must} cancel the meeting.", "The day and the reason are lost."
        ),
        unrelated=Rewriting(
            "{I should like to} thank you for the flowers.",
            "It is about flowers, not about a meeting.",
        ),
        clumsy=Rewriting(
            "{Unfortunately}, the meeting on Friday {I must} cancel it {because} of I am ill.",
            "“Because of I am ill” and the order of the words are not how a fluent writer puts it.",
        ),
        broken=Rewriting(
            "{Unfortunately} meeting Friday the the {must} on cancel ill am.",
            "The words make no sentence.",
        ),
    ),
    style=Case(
        source="{lol} that exam was {way} too hard, {u} agree?",
        full="{In my opinion}, that examination was {far} too difficult. Do {you} agree?",
        half=Rewriting(
            "That exam was {way} too hard, do you agree?",
            "“lol” and “u” are gone, but “way too hard” is how people talk.",
        ),
    ),
    content=Case(
        source="{wanna} come to the museum with my sister and me on sunday?",
        full="{Would you like to} come to the museum with my sister and me on Sunday?",
        drifted=Rewriting(
            "{Would you like to} come to the museum?",
            "The invitation is still there, but not the sister, nor the day.",
        ),
        clumsy=Rewriting(
            "{Would you like to} be coming at the museum with the sister of me and me in Sunday?",
            "It can be understood, but “the sister of me” and “in Sunday” sound wrong.",
        ),
    ),
    fluency=Case(
        source="{thx} for the soup recipe, {gonna} try it tonight",
        full="{Thank you} for the soup recipe. {I shall} try it tonight.",
        unrelated=Rewriting(
            "{We regret} that the library is closed on Mondays.",
            "It is about a library; the recipe and the thanks are gone.",
        ),
        clumsy=Rewriting(
            "{Thank you} for the recipe of the soup, which {I shall} in this night try it.",
            "It can be understood, but “in this night try it” sounds wrong.",
        ),
        broken=Rewriting(
            "{Thank you} recipe the the {shall} soup of tonight try for.",
            "Words are repeated and stand in no order.",
        ),
    ),
)
_TO_INFORMAL = Examples(
    guide=Case(
        source="{I would be grateful if you could} return the book before Monday, {as} my "
        "colleague requires it.",
        full="{can u pls} bring the book back before monday, {cos} my colleague needs it",
        half=Rewriting(
            "Please return the book before Monday because my colleague needs it.",
            "It is less formal than before, but nobody would call it informal.",
        ),
        drifted=Rewriting("{can u pls} bring the book back", "The day and the reason are lost."),
        unrelated=Rewriting(
            "{omg} that film was {soooo} long", "It is about a film, not about a book."
        ),
        clumsy=Rewriting(
            "{can u pls} the book bring it back {cos} my colleague before monday is needing",
            "“The book bring it back” and “is needing” are not how a fluent writer puts it.",
        ),
        broken=Rewriting(
            "{u} book back the the {cos} monday before need {pls} bring",
            "The words make no sentence.",
        ),
    ),
    style=Case(
        source="{Kindly inform me} whether the train has already departed.",
        full="{hey, do u know} if the train's left already?",
        half=Rewriting(
            "Please tell me if the train has already left.",
            "It is less formal than before, but nobody would call it informal.",
        ),
    ),
    content=Case(
        source="{We regret to inform you that} the swimming pool and the sauna are closed until "
        "May.",
        full="{sorry guys,} the swimming pool and the sauna are closed till may",
        drifted=Rewriting(
            "{sorry guys,} the swimming pool's closed",
            "The closed pool is still there, but not the sauna, nor until when.",
        ),
        clumsy=Rewriting(
            "{sorry guys,} the pool for swim and the sauna they are being close till the may",
            "It can be understood, but “pool for swim” and “being close” sound wrong.",
        ),
    ),
    fluency=Case(
        source="{I am delighted} that you were able to repair my bicycle so quickly.",
        full="{so happy} u could fix my bike that fast!",
        unrelated=Rewriting(
            "{lol} my cat's {totally} asleep on the keyboard again",
            "It is about a cat; the bicycle and its repair are gone.",
        ),
        clumsy=Rewriting(
            "{so happy} am i that {u} the fixing of my bike could so fast",
            "It can be understood, but the words stand in an odd order.",
        ),
        broken=Rewriting(
            "{happy} bike bike {u} fast so the could that so",
            "Words are repeated and stand in no order.",
        ),
    ),
)
FAMILY = Family(
    names={"informal": ("informal", "casual", "colloquial"), "formal": ("formal",)},
    style="Style here means formality. A formal text has whole sentences, correct spelling and "
    "polite words, as in a letter to an office. An informal text has short forms, slang and the "
    "words of a conversation, as in a message to a friend.",
    content="Content is what a text says: who, what, where, when, why. How politely or carefully "
    "it is said is style, not content.",
    examples={("informal", "formal"): _TO_FORMAL, ("formal", "informal"): _TO_INFORMAL},
)
