"""What one clause of an answer does: deny knowledge, point elsewhere, be polite, or state something.

The patterns are about *who* lacks *what*. "I could not find it" and "the passages do not say" are
denials; "the auditor could not find it" and "the policy does not cover floods" are statements.
Text comes in lower case with straight quotes, quotations masked and citations removed.
"""

from __future__ import annotations

from typing import Literal

import regex

Act = Literal["denial", "qualified", "weak", "pointer", "neutral", "statement"]
"""``qualified``: denies only the explicit or exact form. ``weak``: a denial or a fact, by context."""

_LISTS = {
    "source": r"""(?:documents?|documentation|contexts?|passages?|texts?|sources?|excerpts?|extracts?|snippets?
        |files?|handbook|booklet|manual|guide|material|contents?|knowledge\ base|search\ results?|results?|pages?
        |sections?|articles?|reports?|minutes|records?|pdfs?|chapters?|information|data|corpus|policy\ documents?)""",
    "doctype": r"(?:polic(?:y|ies)|rules?|contract|will|letter|form|agreement|statutes|bylaws|tables?)",
    "given": r"(?:\ (?:that\ |which\ )?(?:i\ (?:have|was|were)(?:\ been)?\ |you\ (?:have\ )?|we\ have\ )?(?:provided|given|uploaded|retrieved|supplied|available|shown|sent|above|in\ question)(?:\ to\ me)?)?",
    "adv": r"(?:\ (?:explicitly|directly|specifically|clearly|exactly|precisely|actually|really|even|seem\ to|appear\ to|currently|openly|expressly|anywhere))*",
    "not": r"(?:\ (?:do|does|did|is|are|was|were|has|have|had|can|could)(?:\ not|n't)|\ never|\ cannot)",
    "tells": r"""(?:specif(?:y|ies)|states?|mentions?|sa(?:y|ys|id)|indicates?|tells?|disclose[sd]?|reveals?|explains?|describes?|answers?
        |address(?:es)?|discuss(?:es)?|details?|clarif(?:y|ies)|names?|identif(?:y|ies)|refers?|speaks?|talks?|go(?:es)?\ into
        |touch(?:es)?|make\ clear|makes\ clear|relates?|spell|give|gives|provide|provides|contain|contains|include|includes|offer|offers
        |have|has|hold|holds|list|lists|cover|covers|record|records|define|defines|deal|set\ out|show|shows|help|note|notes)""",
    "surely_told": r"(?:mentioned|stated|specified|documented|disclosed|discussed|indicated|spelled\ out|addressed|named|explained|described|recorded|listed)",
    "maybe_told": r"(?:provided|given|included|found|available|covered|defined|contained|known|clear|noted|shown|present|answered|detailed|set\ out|in|part)",
    "news": r"""(?:mention|information|info|reference|indication|details?|data|statement|answer|specification|discussion|description
        |documentation|guidance|instructions?|figures?|clue|minutes|records?|word|passage|date|evidence|facts?|anything|nothing|context)""",
}
_SOURCE_SUBJECT = r"(?:(?:the|these|those|this|your|my|any|both|all|neither|none\ of\ the|none\ of\ these)\ (?:\w+[\ -]){0,3}?{source}{given}|(?:provided|given|retrieved)\ {source})"
_IN_SOURCE = r"(?:in|by|from|within|on|anywhere\ in)\ (?:any\ of\ )?(?:the|these|this|your|my|any|what)\ (?:\w+\ ){0,3}?(?:{source}|i\ )"


def _compiled(*patterns: str) -> list[regex.Pattern[str]]:
    made = []
    for pattern in patterns:
        for _ in range(2):
            for name, words in {**_LISTS, "SUBJECT": _SOURCE_SUBJECT, "IN_SOURCE": _IN_SOURCE}.items():
                pattern = pattern.replace("{" + name + "}", words)
        made.append(regex.compile(pattern, regex.VERBOSE))
    return made


_DENIALS = _compiled(
    # the source does not tell
    r"{SUBJECT}(?:\ (?:only\ )?(?:\w+\ ){0,2}?and)?{adv}{not}{adv}\ {tells}\b",
    r"{SUBJECT}{adv}\ (?:fails?\ to|lacks?\b|omits?\b|leaves?\ out|(?:is|are)\ (?:silent|insufficient|not\ (?:sufficient|enough|about|related|relevant))|makes?\ no|gives?\ no|contains?\ no|contains?\ nothing|says?\ nothing|provides?\ no|has\ no|have\ no|offers?\ no|holds?\ no|includes?\ no)",
    r"^(?:\w+\ ){0,3}?{doctype}{not}{adv}\ (?:specify|state|mention|say|indicate|tell|make\ clear|name)\b",
    r"\b(?:it|they|which){not}{adv}\ (?:specify|state|mention|say|indicate|tell|(?:provide|give|include|contain|have)\ (?:any\ |the\ |an?\ |specific\ |enough\ )*{news})\b",
    r"\b(?:it|they){not}{adv}\ (?:cover|address|discuss|contain|answer|include|give)\ (?:this|that|it)\b",
    r"\b(?:it|they)\ (?:never\ )(?:specify|state|mention|say|indicate|tell)\b",
    r"\b(?:it|they)\ (?:holds?|contains?|says?|have|has|gives?)\ (?:nothing|no\ {news})",
    r"\b(?:none\ of\ (?:the|these|them|your)|neither|none)\ (?:\w+\ ){0,3}?(?:{tells}|answers?|gives?|is\ about)\b",
    r"\bno\ {source}\ {tells}",
    r"\bnothing\ (?:\w+\ ){0,3}?{IN_SOURCE}|\bnowhere\ (?:in|to\ be\ found|do|does|is)\b",
    r"\bbut\ (?:also\ )?(?:no|not)\ {news}",
    # nothing of the kind is there
    r"\b(?:there\ (?:is|are|was|were)(?:\ simply)?|there's|i\ see|i\ (?:could\ )?f(?:ou|i)nd|found)\ (?:no|not\ any|nothing|insufficient|not\ enough)\ (?:\w+\ ){0,2}?{news}\b(?=$|[,.;:]|\ (?:about|on|of|regarding|related|in|as\ to|that|which|whether|to|for|here|given|provided|available|concerning|when|how|who|what|where|why|with))",
    r"\bthere\ (?:isn't|is\ not|aren't|are\ not|wasn't)\ (?:any|enough|sufficient|an?|much)\ (?:\w+\ ){0,2}?{news}",
    r"\bthere(?:\ is|'s)\ nothing\ (?:here|about|on|that|{IN_SOURCE})",
    r"\bno\ (?:\w+\ ){0,2}?{news}\ (?:is|are|was|were|has\ been|have\ been)\ (?:made|found|available|provided|given|included|present)",
    r"\bno\ (?:\w+\ ){1,3}(?:is|are|was|were)\ (?:found|given|provided|mentioned|stated|specified|listed|included|named)\ {IN_SOURCE}",
    r"^(?:no|not\ enough|insufficient|not\ sufficient)\ (?:relevant\ )?(?:information|answer|context|evidence|data|mention|match|results?)\b",
    r"^(?:not|isn't)\ (?:explicitly\ )?(?:specified|mentioned|stated|found|given|in\ the|available|known|answerable|provided|covered)|^(?:unknown|unclear|n/a|not\ known|no\ idea|dunno|no\ clue)\b|^not\ in\ the\ documents",
    # it is not told
    r"\b(?:is|are|was|were|be|been)(?:\ not|n't|\ never|\ nowhere){adv}\ (?:{surely_told}|{maybe_told}|found)(?:\ anywhere)?\ {IN_SOURCE}",
    r"\bdo(?:es)?(?:\ not|n't)\ (?:appear|occur|feature)\ (?:anywhere|{IN_SOURCE})",
    r"\b(?:is|are)\ (?:missing|absent)\ from\ (?:the|these|your)\ (?:\w+\ ){0,2}?{source}",
    r"\b(?:is|are|was|were)(?:\ not|n't|\ never){adv}\ (?:mentioned|stated|specified|documented|disclosed|discussed|indicated|spelled\ out|addressed)\b",
    r"^(?:that|this|such|the|any)\ (?:specific\ |exact\ )?(?:information|details?|answer|data)(?:\ \w+){0,6}?\ (?:(?:is|are|was|were)(?:\ not|n't){adv}\ {maybe_told}|(?:is|are)\ (?:missing|unavailable))(?:$|\ {IN_SOURCE})",
    r"^(?:this|that|your\ question|the\ question|it)(?:\ \w+)?\ ?(?:is|'s|falls|lies|goes)?\ (?:outside|beyond|out\ of)\ (?:the\ )?(?:scope|what|of)",
    r"\b(?:question|this|that|it)\b.{0,90}?\b(?:cannot|can't|can\ not|could\ not|couldn't)\ be\ (?:answered|determined|established|inferred|derived)",
    r"\b(?:cannot|can't|could\ not|couldn't)\ be\ (?:answered|determined|established|inferred|derived|found|ascertained)\b.{0,30}?\b(?:from|based|with|using|in)\b",
    r"\bisn't\ something\ the\ {source}|\b(?:it|this)(?:\ is|'s)\ not\ possible\ to\ (?:say|tell|determine|answer|know)|\bimpossible\ to\ (?:say|tell|determine|answer)",
    r"\b(?:it\ is|it's|it\ remains)\ (?:unclear|unknown|not\ clear|not\ known)",
    # I do not know
    r"\bi(?:\ do\ not|\ don't|\ did\ not|\ didn't|\ really\ don't)\ (?:know|see|recall|have\ (?:\w+\ ){0,3}?(?:information|info|answer|details?|data|context|access|evidence|knowledge|idea|that|anything))\b",
    r"\bi(?:\ am|'m|\ was|'ve|\ have)?\ ?(?:unable|not\ able|not\ been\ able|wasn't\ able|wasn't\ able|failed)?\ ?(?:cannot|can't|can\ not|could\ not|couldn't|wasn't\ able\ to|unable\ to|not\ able\ to|not\ been\ able\ to|failed\ to|did\ not|didn't|do\ not|don't)\ (?:\w+ly\ )?(?:find|locate|answer|determine|tell|say|identify|establish|verify|work\ out|name|ascertain|see|retrieve|help|confirm|give\ (?:you\ )?(?:an|a|the|that)|provide\ (?:you\ with\ )?(?:an?|the|that|any)\ (?:\w+\ )?(?:answer|information|details?))\b",
    r"\bi(?:'m|\ am)\ (?:unable|not\ able)\ to\b|\bi\ was(?:\ not|n't)\ able\ to\b",
    r"\bi\ (?:have|found|find|see|could\ find|lack)\ (?:no|nothing)\b|\bi\ lack\b",
    r"\bfound\ (?:nothing|no\ (?:mention|reference|information))\b",
    r"\bi(?:'m|\ am)\ not\ (?:aware\ of|certain$|sure$)",
    r"^(?:unable|not\ able|not\ possible)\ to\ |^(?:cannot|could\ not|can't|couldn't|did\ not|didn't)\ (?:find|answer|determine|locate|be)",
)

_QUALIFIED = regex.compile(
    r"\b(?:explicit(?:ly)?|exact(?:ly)?|direct(?:ly)?|precise(?:ly)?|clearly|expressly|outright|as\ an?|for\ certain|for\ sure"
    r"|in\ so\ many\ words|not\ entirely)\b",
    regex.VERBOSE,
)
_WEAK = _compiled(
    r"\b(?:is|are|was|were)(?:\ not|n't|\ never){adv}\ (?:{surely_told}|{maybe_told})\b",
    r"\bno\ (?:\w+\ ){0,3}(?:is|are|was|were)\ (?:given|found|stated|recorded)\b",
    r"\bthere\ (?:is|are)\ no\ (?:figure|value|entry|number)\ for\b",
    r"\bgives?\ no\b|\b(?:cannot|could\ not)\ be\ (?:determined|established|found)\b|\bnot\ (?:entirely\ )?(?:sure|certain)\b",
    r"\b(?:it|this)\ is\ unclear\b",
)
_NEUTRAL = regex.compile(
    r"""^(?:(?:i'm|i\ am)?\ ?(?:very\ |so\ |really\ )?(?:sorry|afraid)\b.{0,40}|(?:my\ )?apolog\w+.{0,60}|i\ apolog\w+.{0,40}|regrettably|unfortunately|sadly
        |hello.{0,20}|hi|thanks?\b.{0,40}|thank\ you.{0,40}|great\ question|sure|of\ course|based\ on.{0,60}|according\ to.{0,40}
        |from\ the\ (?:given|provided)?\ ?\w+|as\ an?\ ai.{0,60}|you\ asked.*|regarding.*|per\ the.{0,40}|i\ (?:have\ )?(?:searched|looked|checked|read).*
        |(?:you\ (?:may|might|could|should)|please|try|feel\ free|let\ me\ know|i\ (?:suggest|recommend)|it\ (?:may|might)\ be|for\ (?:more|further)|if\ you
        |contact|consider|is\ there\ anything|would\ you|do\ you\ want|i\ can\ only|i'd\ be\ happy).*|in\ case.*|it\ seems|yet|however|but|so|as|and)$""",
    regex.VERBOSE,
)
_POINTER = _compiled(
    r"{SUBJECT}{adv}\ (?:only\ |also\ |do\ |does\ |just\ |merely\ )*(?:{tells}|starts?|begins?|focus(?:es)?|(?:is|are)\ about|concerns?|cites?)\b",
    r"^(?:but\ |however\ |instead\ )?(?:it|they)\ (?:only|also|do|does|just|merely|instead)\b",
    r"^(?:the\ )?(?:closest|nearest|only\ related|related)\ (?:passages?|information|match)",
)


def act_of(clause: str) -> Act:
    """What ``clause`` does, by the strongest pattern that fits."""
    clause = clause.strip(" .,;:!?*_-\n")
    if not clause or _NEUTRAL.match(clause):
        return "neutral"
    denial = any(pattern.search(clause) for pattern in _DENIALS)
    if denial or any(pattern.search(clause) for pattern in _WEAK):
        if _QUALIFIED.search(clause):
            return "qualified"
        return "denial" if denial else "weak"
    return "pointer" if any(pattern.search(clause) for pattern in _POINTER) else "statement"
