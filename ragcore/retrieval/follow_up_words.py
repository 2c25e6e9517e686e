"""The English words by which a question is seen to lean on the one before it."""

from __future__ import annotations

import regex

from ragcore.lexical.lexemes import lexemes

PREPOSITIONS = frozenset(
    "about above after at before below between beyond by during except for from in inside into near of on onto "
    "outside over per since through to towards under until via with within without".split()
)
ARTICLES = frozenset("a an the my our your this that these those".split())
VERBS = frozenset(
    """am are be been can could did do does had has have is may might must need ought shall should was were
    will would aren't can't couldn't didn't doesn't don't isn't wasn't weren't won't wouldn't""".split()
)
"""Finite forms that a question in whole words begins its clause with."""
QUESTION_WORDS = frozenset("how what when where which who whom whose why".split())
ORDERS = frozenset(
    "compare compute define describe draw explain find give list name show summarise summarize tell translate write".split()
)

PRONOUNS = regex.compile(r"\b(it|its|they|them|their|theirs|he|him|his|she|her|hers|mine)\b")
POSSESSIVES = frozenset("its their his her".split())
EMPTY_IT = regex.compile(
    r"""\b(what|which)\ (time|day|date|month|year)\ is\ it\b
    |\bit(\ is|'s)\ (noon|midnight|morning|evening|night|dark|late|cold|hot|warm|raining|snowing|sunny|\d)
    |\b(is|was)\ it\ (raining|snowing|cold|hot|warm|dark|late)
    |\b(is|was|will|would|be)\ it\ (be\ )?\w+\ (to|that|if|for|when)\b
    |\bit(\ is|'s|\ was)\ \w+\ (to|that|if|for|when)\b
    |\bit\ take(s)?\b(?=.*\bto\b)|\btakes\ it\ to\b|\bit\ rains\b|\bit\ snows\b""",
    regex.VERBOSE,
)
"""An ``it`` that stands for nothing: the weather, the hour, "is it allowed to"."""
CLAUSE = regex.compile(r",|;|\b(and|or|but|if|when|once|unless|until|because|while|who|which|so)\b")
"""Between a noun and a pronoun that takes it up within one question."""

POINTERS = regex.compile(
    r"""\b(that|those|this|these)\ (one|ones|time|case|test|event|period|rule|amount|limit|year|month|day|date|way|person
        |point|place|sort|kind|reason|situation)\b
    |\b(for|of|about|after|before|with|to|in|on|by|from|than|without|like|under|at|over|against)\ (that|those|this|these)\s*$
    |\b(is|are|was|were|do|does|did|can|could|will|would|has|have|why|how|if|like)\ (that|those|this|these)
        \ (?!the\b|a\b|an\b|my\b|our\b)(\w+)
    |\b(is|are|was|were|do|does|did|mean|means|explain|repeat)\ (that|those|this|these)\s*$
    |^(that|those|this|these)\ (is|are|was|were|does|do|did|applies|apply|means?|counts?|includes?)\b
    |\b(the|an?|any|another|each|which|unused|other|next|last|first|second|previous)\ (\w+\ ){0,2}ones?\b
    |\babout\ one\b
    |\bthe\ same(\ (way|time|thing|place|rule|amount))?\b(?!\ (?:\w+\ )?as\b)
    |\b(the\ (latter|former|above|previous|other|others|rest|next\ time|last\ time|year\ after|year\ before|day\ after
        |next\ one|following\ (year|day|month)))\b
    |\b(afterwards?|beforehand|thereafter|otherwise|instead|likewise|vice\ versa|in\ that\ case|at\ that\ point)\b
    |\b(who|what|where|anyone|anything|somewhere|anybody)\ else\b
    |\b(then|there|so)\s*$|\b(too|also|as\ well|either)\s*$
    |\bsuch\ (a\ |an\ )?\w+\s*$""",
    regex.VERBOSE,
)
NO_POINTER = regex.compile(
    r"\b(is|are|was|were)\ there\s*$|\bis\ (this|that)\ the\b(?!\ same)", regex.VERBOSE
)
HEADLESS = regex.compile(
    r"""^(how\ (many|much|long|often|far|old|soon|late|early|big|high|fast)|which|whose)[ ]
        (is|are|was|were|do|does|did|can|may|must|should|will|of\ (them|these|those))[ ]
        (needed|allowed|required|left|enough|cheaper|better|the\ \w+est|\w+er|possible|too|in|at|for|on|that)\b
    |^(why|when|where|who|how|which|since\ when|until\ when|for\ how\ long|how\ (long|many|much|often|far|soon|so|come)
        |why\ not|by\ whom|who\ says|says\ who|what\ (then|now|next|for|else))\s*$""",
    regex.VERBOSE,
)
COMPARED = regex.compile(
    r"\b(is|are|does|do|was|were|anything|something|one|which|any)\b.*\b(cheaper|longer|shorter|more|less|fewer|faster|slower|"
    r"larger|bigger|smaller|higher|lower|better|worse|later|earlier|older|younger|safer|easier)\s*$"
)
ABOUT = regex.compile(
    r"^((and|but|so|or)\ )*(what|how)\ (about|of)\b|^((and|but|so)\ )*what\ if\b|^same\ for\b"
)
CONNECTORS = regex.compile(r"^(and|but|or|so|also|then|plus|und|et|y|aber|ou|pero)\b[\s,]*")

THIN = frozenset(
    lexemes(
        """able actually allow allowed answer apply ask become begin bring carry case change come cost count decide
        detail differ different don doesn end ever exactly exist expire explain far find follow get give go got happen
        help hold include just keep kind know last late least less let like long lose make many mean more most much
        must need new next now often once one only other others out over part pay please possible put really reason
        rule run same say see send show soon sort start stay still stop sure take talk tell thing think time too try
        two type big cheap deep describe easy expensive fast hard heavy high low matter old prefer
        small spend summarise summarize treat wide young unused use used wait want way whole work year
        anyone anything else everyone her him himself hers mine she he himself nothing somebody something someone
        ones such us isn aren wasn weren won wouldn couldn didn can't ll ve re exactly example"""
    )
)
"""Lexemes that name no subject: a question made of these alone does not say what it is about."""

THANKS = r"many thanks|thanks?( a lot| so much| very much| again)?|thank you( so much| very much| again)?|thx|cheers|ta|danke|merci|gracias"
GREETINGS = r"hello( there)?|hi( there)?|hey( there)?|good (morning|afternoon|evening|day)|greetings"
FAREWELLS = r"good ?bye|bye( bye)?|see you( later)?|good night|that's all|that is all|that will be all"
NODS = (
    r"o\.?k\.?|okay|okey|k|yes|yep|yeah|yup|no|nope|great|perfect|excellent|super|cool|nice|good|fine|wonderful|awesome|brilliant|lovely"
    r"|very good|all right|alright|right|sure|got it|i see|i understand|understood|makes sense|that makes sense|that helps|good to know"
    r"|that's great|that's good|well done|good job|never ?mind|forget it|wow|haha|lol|hm+|ah|oh|aha|interesting|noted|of course|exactly|sounds good"
)
