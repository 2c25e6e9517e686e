"""What kind of thing a question asks for, and whether a passage holds one that the question does not.

"Who signs the lease?" asks for a person; a passage without a name or a role cannot answer it, however
much it speaks of leases. What stands in the question already ("on 30 March") is no answer to it. Rules
for English, in the manner of question classification (Li and Roth, 2002, Learning Question
Classifiers); a question that no rule knows asks for nothing in particular, and any passage may answer it.
"""

from __future__ import annotations

from typing import Literal, get_args

import regex

AnswerType = Literal[
    "email address",
    "web address",
    "phone number",
    "percentage",
    "frequency",
    "duration",
    "time of day",
    "date",
    "measure",
    "amount of money",
    "number",
    "code",
    "name",
    "person",
    "place",
    "reason",
]
"""In the words in which a refusal names it: "asked for a phone number"."""

_FLAGS = regex.IGNORECASE | regex.VERBOSE
_WHAT = r"\b(?:what|which|wot|whats|wots|what's|whose)\b"
_IS = r"(?:'s|s|\s+(?:is|are|was|were))?"
_BEGINS = r"(?:^|[,;:.]\s*|\b(?:and|or|by|to|from|since|for|of)\s+)"
"""Where a question word asks; elsewhere it may begin a clause: "the code that shows when it is cold"."""
_DOES = r"(?:is|are|was|were|do|does|did|must|should|shall|can|could|may|will|would|has|have|had|r)"

_ASKS: tuple[tuple[AnswerType, regex.Pattern[str]], ...] = tuple(
    (name, regex.compile(pattern, _FLAGS))
    for name, pattern in (
        (
            "email address",
            rf"{_WHAT}.{{0,40}}\be-?mail\b(?!\s+(?:be|to|sent)) | \be-?mail\s+address\b | \bmailbox\b",
        ),
        (
            "web address",
            rf"{_WHAT}.{{0,40}}\b(?:web\s?site|web\s?page|url|web\s+address)\b | \bweb\s+address\b",
        ),
        (
            "phone number",
            rf"""{_WHAT}.{{0,40}}\b(?:(?:tele)?phone|mobile|fax|hotline|helpline)\b | \bphone\s+(?:number|no)\b
            | \bs\s+mobile\b | \bnumber\b.{{0,30}}\b(?:call|ring|dial|reached?)\b
            | \b(?:call|ring|dial)\b.{{0,20}}\bnumber\b""",
        ),
        (
            "percentage",
            rf"{_WHAT}.{{0,30}}\b(?:per\s?cent(?:age)?|share|proportion|fraction|interest\s+rate)\b | \bhow\s+many\s+per\s?cent\b",
        ),
        ("frequency", r"\bhow\s+(?:often|frequently|regularly)\b | \bhow\s+many\s+times\s+(?:a|per)\b"),
        (
            "duration",
            rf"""\bhow\s+(?:long|quickly|soon)\b(?!\s+(?:is|are|was|must|should)\s+(?:the|a)\s+(?:boat|rope|cable|hose|wire|pipe|wall))
            | \bhow\s+many\s+(?:\w+\s+)?(?:seconds|minutes|hours|days|nights|weeks|months|years)\b
            | \bhow\s+much\s+(?:\w+\s+)?(?:time|notice|warning|leave|holiday)\b | \bhow\s+far\s+(?:ahead|in\s+advance)\b
            | {_WHAT}.{{0,20}}\b(?:notice|waiting|cooling|retention|probation\w*|trial|guarantee)\s+period\b""",
        ),
        (
            "time of day",
            rf"{_WHAT}{_IS}(?:\s+the)?\s+(?:opening\s+|closing\s+)?(?:time|hours?)\b | \bo'?clock\b",
        ),
        (
            "date",
            rf"""{_BEGINS}(?:when|wen)\b | \b(?:when|wen)\s+{_DOES}\b | \bsince\s+when\b
            | {_WHAT}{_IS}(?:\s+the)?\s+(?:date|day|month|year|season|deadline)\b""",
        ),
        (
            "measure",
            rf"""\bhow\s+(?:hot|cold|warm|heavy|deep|wide|tall|high|far|big|large|thick|loud|strong|fast|moist)\b
            | \bhow\s+much\b.{{0,60}}\b(?:weigh|hold)s?\b
            | {_WHAT}{_IS}(?:\s+the)?\s+(?:\w+\s+)?(?:temperature|weight|length|width|height|depth|distance|capacity|size|speed|voltage|pressure|dose)\b""",
        ),
        (
            "amount of money",
            rf"""\bhow\s+much(?:\s+(?:money|rent|interest))?(?=\s+(?:{_DOES}|to|for|it|4|per|went|goes)\b|(?:\s+(?:m8|mate|pls|please))?\W*$)
            | \bhow\s+expensive\b
            | {_WHAT}(?:(?!\bnumber\b).){{0,60}}\b(?:costs?|charge|prices?|fees?|fare|fine|salary|wages?|rent|deposit|tariff)\b(?!\s+(?:rise|group|review|number))
            | {_WHAT}\s+(?:sum|amount)\b | {_WHAT}\s+(?:do|does|did)\b.{{0,60}}\bpay\b(?!\s+(?:for|with|by|in)\b)""",
        ),
        ("number", rf"\bhow\s+(?:many|old)\b | {_WHAT}{_IS}(?:\s+the)?\s+number\s+of\b"),
        (
            "code",
            rf"""{_WHAT}.{{0,30}}\b(?:(?:serial|part|model|policy|account|licen[cs]e|registration|reference|hull|order|invoice)\s+(?:number|no)
            |post\s?code|zip\s+code|(?<!\bdress\s)code(?!\s+of\b)|pin|password|call\s+sign)\b""",
        ),
        (
            "name",
            rf"""{_WHAT}{_IS}\s+(?:the\s+)?(?:full\s+)?names?\b | {_WHAT}\s+(?:is|are|was)\b.{{0,60}}\bcalled\b
            | {_WHAT}(?:\s+(?:of|the))*\s+(?:\w+\s+)?(?:supplier|company|firm|contractor|agency|insurer|bank|member|councillor|officer|colleague|vets?|nurse|clients?)\b
            (?!['’]s|\s+(?:holidays?|cars?|events?|polic\w+|benefits?|rules?))
            | {_BEGINS}(?:who|whos|who's)\s*(?:is|was|are)?\s+(?:the|our|my)\b(?!\s+(?:(?:right|best)\s+)?(?:contact|person|point))""",
        ),
        (
            "person",
            rf"{_BEGINS}(?:who|whom|whos|who's)\b | \bwho\s+(?:2|to|{_DOES})\b | ^whose\b | {_WHAT}\s+(?:person|employee)\b",
        ),
        (
            "place",
            rf"{_BEGINS}(?:where|wheres|where's)\b | \bwhere\s+{_DOES}\b | {_WHAT}{_IS}(?:\s+the)?\s+(?:room|building|office|city|town|street|floor|address|cupboard|shelf)\b",
        ),
        ("reason", rf"{_BEGINS}why\b | {_WHAT}{_IS}(?:\s+the)?\s+reason\b | \bhow\s+come\b"),
    )
)

_MONTHS = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_UNITS_OF_TIME = r"(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|fortnights?|months?|quarters?|terms?|years?|yrs?)"
_NUMBER_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|dozen|single|both|no|none)"
)
_NUMBER = rf"(?:\d[\d.,]*|{_NUMBER_WORDS}(?:-{_NUMBER_WORDS})?)"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_NAME = rf"""\b(?:Mr|Mrs|Ms|Dr|PC|Prof|Sir|Messrs|Councillor)\.?\s+\p{{Lu}}[\p{{L}}'’-]+ | (?<=[\p{{Ll}},;:|(]\s)(?!(?i:{_DAYS}|{_MONTHS})\b)\p{{Lu}}[\p{{L}}'’-]+
    | (?!(?:The|A|An|When|If|For|In|At|On|All|No|Each|Every|After|Before|With|To|From|By|As|While|Since|Only|Our|Your|This|That)\b)
    \p{{Lu}}[\p{{Ll}}'’-]+(?:\s+(?:\p{{Lu}}\.|&|of|and|de|van))*\s+\p{{Lu}}[\p{{Ll}}'’-]+"""
_ROLES = r"""\b(?:\w+(?:keeper|master|man|woman|person|holder|maker|leader|worker)|manager|officer|director|clerk|chair\w*
    |committee|council|board|team|department|head|owner|supervisor|coordinator|administrator|secretary|treasurer|warden|steward
    |captain|nurse|vet|surgeon|doctor|partners?|lawyer|counsel|accountant|auditor|engineer|technician|staff|employees?|members?
    |tenants?|landlord|agent|agency|contractor|supplier|insurer|company|firm|hr|people|everyone|anyone|nobody|no\ one|volunteers?
    |president|founder|guardian|parents?|reception\w*|caretaker|porter|inspector|you|we|maker|union|police)\b"""

_HOLDS: dict[AnswerType, regex.Pattern[str]] = {
    name: regex.compile(pattern, regex.VERBOSE)
    for name, pattern in {
        "email address": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
        "web address": r"(?i:https?://\S+|www\.\S+|\b[\w-]+\.(?:com|org|net|example|test|edu|gov|co\.uk|io)\b)",
        "phone number": r"(?i:\+?\d[\d\s()/-]{5,}\d | \bext(?:ension|\.)?\s*\d+ | \b(?:call|ring|dial|phone|extension)\b[^.]{0,30}\d{3,} )",
        "percentage": r"(?i:\d[\d.,]*\s*% | \bper\s?cent\b | \b(?:half|thirds?|quarters?|tenths?|fifths?|double|twice|all|none|whole)\b)",
        "frequency": rf"(?i:\b(?:every|each|daily|weekly|fortnightly|monthly|quarterly|annual(?:ly)?|yearly|hourly|nightly|once|twice)\b | \btimes\s+(?:a|per)\b | \bper\s+{_UNITS_OF_TIME} | \ba\s+(?:day|week|month|year)\b | \b(?:within|after)\s+\d)",
        "duration": rf"(?i:\b{_NUMBER}(?:\s+(?:to|and|or)\s+{_NUMBER})?[\s-]+(?:\w+\s+)?{_UNITS_OF_TIME}\b | \b(?:immediately|at\s+once|same\s+day|overnight|until|(?:a|an|per)\s+(?:\w+\s+)?{_UNITS_OF_TIME})\b)",
        "time of day": r"(?i:\b\d{1,2}(?::|\.)\d{2}\b | \b\d{1,2}\s*(?:a\.?m|p\.?m)\b | \b(?:noon|midday|midnight|dawn|dusk|sunrise|sunset|o'?clock)\b)",
        "date": rf"(?i:\b(?:\d{{1,2}}\s+)?{_MONTHS}\b | \b(?:1[5-9]|20)\d\d\b | \b\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}} | \b{_DAYS}\b | \b{_NUMBER}\s+(?:\w+\s+)?{_UNITS_OF_TIME}\b | \b(?:spring|summer|autumn|winter|easter|christmas|annual(?:ly)?|yearly|every|before|after|until|once|when|whenever|as\s+soon|at\s+once|within|(?:a|each)\s+{_UNITS_OF_TIME})\b)",
        "measure": r"(?i:\d[\d.,]*[\s-]*(?:°|degrees?|[mck]?m[²³]?\b|kg|g\b|mg|t\b|tonnes?|lit(?:re|er)s?|l\b|ml|met(?:re|er)s?|kilo\w+|miles?|feet|ft|inch\w*|volts?|v\b|watts?|w\b|bar\b|db|amps?|newtons?|knots?|per\b|%|x\s*\d|square|cubic|nautical|centi\w+|milli\w+))",
        "amount of money": r"(?i:[$€£¥]\s*\d[\d.,]* | \d[\d.,]*\s*(?:[$€£]|dollars?|euros?|pounds?|pence|cents?|crowns?|francs?|usd|eur|gbp|chf|p\b) | \bfree\b | \bno\s+(?:charge|fee|cost) | \d[\d.,]*\s*(?:%|per\s+cent) | \bwaived\b | \bnothing\b)",
        "number": rf"(?i:\b{_NUMBER}\b)",
        "code": r"\b(?=[\w/.-]*\d)(?:[A-Z]{1,6}[-/ ]?\d[\w/.-]*(?:\s\d[A-Z]{2})?|\d+[-/][\w/-]+|\d{3,})\b",
        "name": _NAME,
        "person": rf"{_NAME} | (?i:{_ROLES})",
        "place": r"""(?i:\b(?:in|at|on|under|behind|beside|next\s+to|inside|outside|near|above|below|opposite|from|by|to)\s+(?:the|a|an|its|our)\s+\w+
            |\b(?:room|street|road|lane|avenue|floor|building|office|house|hall|cupboard|shelf|drawer|safe|desk|door|gate|yard|store|kitchen|wall)\b)
            |\b(?:in|at|from)\s+\p{Lu}\w+""",
        "reason": r"(?i:\b(?:because|since|so\s+that|in\s+order|due\s+to|owing\s+to|to\s+(?:avoid|prevent|keep|protect|make|let)|for\s+(?:fear|the\s+sake)|reason|otherwise|lest|as\s+(?:the|a|it|they)|having|therefore|holding|too)\b|[;:—–])",
    }.items()
}
assert set(_HOLDS) == set(get_args(AnswerType))


def asked_for(question: str) -> AnswerType | None:
    """The kind of thing that a question asks for; None when no rule knows it.

    What is asked first counts: "Who pays when the rent is late?" asks for a person, not for a date.
    """
    found = (
        (match.start(), rank, name)
        for rank, (name, pattern) in enumerate(_ASKS)
        if (match := pattern.search(question))
    )
    return min(found, default=(0, 0, None))[2]


def holds(text: str, wanted: AnswerType, question: str = "") -> bool:
    """Whether a thing of that kind stands in the text that does not stand in the question."""
    said = _folded(question)
    return any(_folded(match[0]) not in said for match in _HOLDS[wanted].finditer(text))


def _folded(text: str) -> str:
    """With a blank at either end, so that ``3`` is not in ``30``."""
    words = " ".join(regex.findall(r"[\p{L}\p{N}]+", text.casefold()))
    return f" {words} " if words else text
