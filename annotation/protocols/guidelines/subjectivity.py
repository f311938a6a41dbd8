"""Examples of subjective and neutral texts."""

from annotation.protocols.guidelines.examples import Case, Examples, Family, Rewriting

_TO_NEUTRAL = Examples(
    guide=Case(
        source="The {brilliant} architect {sadly} died in 1912, before the {magnificent} bridge "
        "was opened.",
        full="The architect died in 1912, before the bridge was opened.",
        half=Rewriting(
            "The {brilliant} architect died in 1912, before the bridge was opened.",
            "“Brilliant” is still a judgement of the writer.",
        ),
        drifted=Rewriting("The architect died in 1912.", "The bridge is lost."),
        unrelated=Rewriting(
            "The town has two railway stations.",
            "It is about a town, not about an architect and a bridge.",
        ),
        clumsy=Rewriting(
            "The architect in 1912 he died, before that was opened the bridge.",
            "“He died” after “the architect”, and the order of the words, are not how a fluent "
            "writer puts it.",
        ),
        broken=Rewriting(
            "Architect died bridge bridge 1912 opened in the the before.",
            "The words make no sentence.",
        ),
    ),
    style=Case(
        source="The {so-called} expert {foolishly} said that the lake was 40 metres deep.",
        full="The expert said that the lake was 40 metres deep.",
        half=Rewriting(
            "The expert {foolishly} said that the lake was 40 metres deep.",
            "“So-called” is gone, but “foolishly” is still a judgement of the writer.",
        ),
    ),
    content=Case(
        source="The band’s {disastrous} second album, recorded in Oslo, sold {only} 9,000 copies.",
        full="The band’s second album, recorded in Oslo, sold 9,000 copies.",
        drifted=Rewriting(
            "The band recorded an album in Oslo.",
            "The album is still there, but not that it was the second, nor how it sold.",
        ),
        clumsy=Rewriting(
            "The second album of the band, in Oslo was it recorded, it sold of copies 9,000.",
            "It can be understood, but “it sold of copies 9,000” sounds wrong.",
        ),
    ),
    fluency=Case(
        source="The {greedy} company {shamelessly} closed its factory in 2003.",
        full="The company closed its factory in 2003.",
        unrelated=Rewriting(
            "The river rises in the south of the country.",
            "It is about a river; the company and its factory are gone.",
        ),
        clumsy=Rewriting(
            "The company its factory it did close in the 2003.",
            "It can be understood, but “its factory it did close” sounds wrong.",
        ),
        broken=Rewriting(
            "Company 2003 2003 the closed in its its.", "Words are repeated and stand in no order."
        ),
    ),
)
_TO_SUBJECTIVE = Examples(
    guide=Case(
        source="The museum was renovated in 2015 and shows works by local painters.",
        full="The {shabby old} museum was {at long last} renovated in 2015 and shows "
        "{breathtaking} works by local painters.",
        half=Rewriting(
            "The museum was {finally} renovated in 2015 and shows works by local painters.",
            "“Finally” is the only hint of an opinion.",
        ),
        drifted=Rewriting(
            "The {shabby old} museum was {at long last} renovated.",
            "The year and the painters are lost.",
        ),
        unrelated=Rewriting(
            "Everybody {adores} this {charming} little harbour.",
            "It is about a harbour, not about a museum.",
        ),
        clumsy=Rewriting(
            "The {shabby old} museum {at long last} it was renovated in 2015 and shows "
            "{breathtaking} works of painters local.",
            "“It was” and “painters local” are not how a fluent writer puts it.",
        ),
        broken=Rewriting(
            "{Shabby} museum works works {breathtaking} the by 2015 renovated shows in.",
            "The words make no sentence.",
        ),
    ),
    style=Case(
        source="The law was passed in March by a small majority.",
        full="The {misguided} law was {shamefully} passed in March by a small majority.",
        half=Rewriting(
            "The law was passed in March by only a small majority.",
            "“Only” is a hint of an opinion, no more.",
        ),
    ),
    content=Case(
        source="The author wrote her first novel, a story of two sisters, in Lisbon.",
        full="The {gifted} author wrote her {unforgettable} first novel, a {moving} story of two "
        "sisters, in Lisbon.",
        drifted=Rewriting(
            "The {gifted} author wrote an {unforgettable} novel.",
            "The novel is still there, but not the sisters, nor the city.",
        ),
        clumsy=Rewriting(
            "The {gifted} author her {unforgettable} novel first wrote it, a {moving} story from "
            "two sisters, in the Lisbon.",
            "It can be understood, but “novel first wrote it” and “the Lisbon” sound wrong.",
        ),
    ),
    fluency=Case(
        source="The ferry crosses the lake six times a day.",
        full="The {delightful little} ferry crosses the lake {an impressive} six times a day.",
        unrelated=Rewriting(
            "The {awful} traffic in this city is a {disgrace}.",
            "It is about traffic in a city; the ferry and the lake are gone.",
        ),
        clumsy=Rewriting(
            "The {delightful little} ferry is making the crossing of lake {an impressive} six of "
            "times in day.",
            "It can be understood, but “crossing of lake” and “six of times” sound wrong.",
        ),
        broken=Rewriting(
            "{Delightful} ferry six the the crosses {impressive} times lake day of.",
            "Words are repeated and stand in no order.",
        ),
    ),
)
FAMILY = Family(
    names={
        "subjective": ("subjective", "biased", "opinionated", "non-neutral"),
        "neutral": ("neutral", "objective", "unbiased", "factual"),
    },
    style="Style here means subjectivity. A subjective text lets the opinion or the feeling of its "
    "writer show; a neutral text reports and does not judge.",
    content="Content is what a text reports: people, things, places, times, events. How its writer "
    "judges them is style, not content.",
    examples={("subjective", "neutral"): _TO_NEUTRAL, ("neutral", "subjective"): _TO_SUBJECTIVE},
)
