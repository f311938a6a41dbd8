"""Examples of negative and positive texts."""

from annotation.protocols.guidelines.examples import Case, Examples, Family, Rewriting

_TO_POSITIVE = Examples(
    guide=Case(
        source="The waiter was {rude} and our soup arrived {cold}.",
        full="The waiter was {friendly} and our soup arrived {hot}.",
        half=Rewriting(
            "The waiter was {friendly} but our soup arrived {cold}.",
            "The waiter is praised now, the soup is still criticised.",
        ),
        drifted=Rewriting("The waiter was {friendly}.", "The soup is lost."),
        unrelated=Rewriting(
            "The car park is {huge} and {easy} to find.",
            "It is about a car park, not about a waiter and a soup.",
        ),
        clumsy=Rewriting(
            "The waiter he was {friendly} and arrived our soup {hot}.",
            "“The waiter he” and “arrived our soup” are not how a fluent writer puts it.",
        ),
        broken=Rewriting(
            "Waiter {friendly} {friendly} our the and was soup arrived.",
            "The words make no sentence.",
        ),
    ),
    style=Case(
        source="My room was {dirty} and the bed was {uncomfortable}.",
        full="My room was {clean} and the bed was {comfortable}.",
        half=Rewriting(
            "My room was {clean}, but the bed was {uncomfortable}.",
            "The room is praised now, the bed is still criticised.",
        ),
    ),
    content=Case(
        source="The guide of the boat tour was {boring} and spoke {far too fast}.",
        full="The guide of the boat tour was {fascinating} and spoke {very clearly}.",
        drifted=Rewriting(
            "The boat tour was {fascinating}.",
            "The tour is still there, but not the guide, nor how the guide spoke.",
        ),
        clumsy=Rewriting(
            "The guide from the tour of boat was {fascinating} and very {clearly} he spoke it.",
            "It can be understood, but “tour of boat” and “he spoke it” sound wrong.",
        ),
    ),
    fluency=Case(
        source="This phone is {slow} and the screen looks {terrible}.",
        full="This phone is {fast} and the screen looks {great}.",
        unrelated=Rewriting(
            "I {love} the bread of this {wonderful} bakery.",
            "It is about a bakery; the phone and its screen are gone.",
        ),
        clumsy=Rewriting(
            "This phone it is {fast} and {great} does look the screen.",
            "It can be understood, but the words stand in an odd order.",
        ),
        broken=Rewriting(
            "Phone {fast} {fast} is screen the {great} and looks this.",
            "Words are repeated and stand in no order.",
        ),
    ),
)
_TO_NEGATIVE = Examples(
    guide=Case(
        source="The staff were {helpful} and our table was {lovely}.",
        full="The staff were {unhelpful} and our table was {filthy}.",
        half=Rewriting(
            "The staff were {helpful} but our table was {filthy}.",
            "The table is criticised now, the staff are still praised.",
        ),
        drifted=Rewriting("The staff were {unhelpful}.", "The table is lost."),
        unrelated=Rewriting(
            "This film is {boring} and {far too long}.",
            "It is about a film, not about staff and a table.",
        ),
        clumsy=Rewriting(
            "The staff they were {unhelpful} and was {filthy} our table.",
            "“The staff they” and “was filthy our table” are not how a fluent writer puts it.",
        ),
        broken=Rewriting(
            "Staff {unhelpful} {unhelpful} table our the and were filthy was.",
            "The words make no sentence.",
        ),
    ),
    style=Case(
        source="The garden is {beautiful} and the rooms are {quiet}.",
        full="The garden is {neglected} and the rooms are {noisy}.",
        half=Rewriting(
            "The garden is {beautiful}, but the rooms are {noisy}.",
            "The rooms are criticised now, the garden is still praised.",
        ),
    ),
    content=Case(
        source="The teacher explains every step {patiently} and the course is {cheap}.",
        full="The teacher explains every step {impatiently} and the course is {overpriced}.",
        drifted=Rewriting(
            "The course is {overpriced}.",
            "The course is still there, but not the teacher, nor how the steps are explained.",
        ),
        clumsy=Rewriting(
            "The teacher he explains {impatiently} every of the steps and {overpriced} is the "
            "course.",
            "It can be understood, but “every of the steps” and the order of the words are wrong.",
        ),
    ),
    fluency=Case(
        source="The battery lasts {all day} and the case feels {solid}.",
        full="The battery lasts {barely an hour} and the case feels {flimsy}.",
        unrelated=Rewriting(
            "The concert was {awful} and started {much too late}.",
            "It is about a concert; the battery and the case are gone.",
        ),
        clumsy=Rewriting(
            "The battery it lasts {barely an hour} and feels the case {flimsy}.",
            "It can be understood, but the words stand in an odd order.",
        ),
        broken=Rewriting(
            "Battery {flimsy} {flimsy} lasts the an case feels hour and.",
            "Words are repeated and stand in no order.",
        ),
    ),
)
FAMILY = Family(
    names={
        "negative": ("negative", "neg", "negative sentiment"),
        "positive": ("positive", "pos", "positive sentiment"),
    },
    style="Style here means sentiment: whether a text speaks well or badly of what it is about.",
    content="Content is what a text speaks of: people, things, places, times, events. Whether it "
    "praises or criticises them is style, not content.",
    examples={("negative", "positive"): _TO_POSITIVE, ("positive", "negative"): _TO_NEGATIVE},
)
