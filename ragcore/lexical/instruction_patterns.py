"""What texts that talk to a model look like, as patterns: by reason, in several languages.

They are read by instructions.py, a sentence at a time. A pattern is here when ordinary documents do
not match it: how many of them do is measured (EXPERIMENTS.md, 2026-11-30, injections).
"""

from __future__ import annotations

import re

_REPLY = r"(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies))"
_MODEL = (
    r"(?:ai|a\.i\.|llms?|language models?|chat ?bots?|(?:ai|virtual|automatic|digital|dear|good) (?:assistants?|readers?"
    r"|systems?|models?)|ai (?:readers?|systems?|models?))"
)
_CHAT_TOKENS = (
    r"<\|[^|<>\n]{1,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>|\[/?(?:SYSTEM|ASSISTANT)_?PROMPT\]"
    r"|<｜[^｜<>\n]{1,40}｜>|__?im_(?:start|end)_?_?"
)

CHAT_TOKEN = re.compile(_CHAT_TOKENS, re.IGNORECASE)
"""Marks by which a model's tokenizer may tell turns apart."""

TURN_ENDS = re.compile(
    r"<\|(?:im_end|eot_id|end|endoftext)\|>|</s>|<end_of_turn>|__?im_end_?_?", re.IGNORECASE
)
"""Those that end a turn: what follows one need not belong to another."""

FRAME = re.compile(
    r"""==[0-9a-f]{6,}==|</?(?:context|documents?|passages?|instructions?|system|user)>|<tool_call>
    |\bend\ of\ (?:the\ )?(?:passages?|data|context|documents?)\b|\b(?:begin|end)\ (?:instructions?|data)\b
    |^\[\d{1,2}\]\ \S.{0,80}(?:,\ page\ \d|\.(?:md|pdf|docx?|txt)\b)|\bpassage\ \d+\ \((?:trusted|verified|overrides?)
    |"role"\s*:\s*"(?:system|assistant)"|^\#{2,3}\ ?(?:human|assistant|system|instructions?)\ ?:
    |^\[(?:system|assistant|developer)\]|\bpassage\ \d+:""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""An imitation of what stands round passages and turns. With it a block begins: what follows belongs to it."""

ROLE_LINE = re.compile(
    r"^\W{0,4}(system|assistant|user|human|ai|model|developer)\s*:", re.IGNORECASE | re.MULTILINE
)
"""One such line may stand in any document; two roles are a made-up conversation."""

REASONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (reason, re.compile("|".join(patterns), re.IGNORECASE))
    for reason, patterns in {
        "tells a model to set its rules aside": (
            r"\b(?:ignore|disregard|forget|override|bypass|neglect)\b.{0,40}\b(?:instructions?|(?:the|your|all|any|these|those|its) rules|rules (?:that|above)|prompts?|guidelines|"
            r"everything (?:you|above|before)|(?:previous|prior|above|other) (?:text|messages?|rows|passages?)|the question)\b",
            r"^\W*new instructions?\b|\b(?:system|new) prompt\b|\bsystem message\b|\bmodel instruction\b",
            r"\b(?:rules|instructions) (?:above|before)\b.{0,60}\b(?:no longer|do not|don't) (?:apply|count|hold)",
            r"\bfree (?:of|from) (?:all|any) (?:restrictions|rules|limits)\b|\bwithout any rules\b|\b(?:debug|developer|god) mode\b",
            r"\b(?:passage|document|text) (?:replaces|overrides) (?:all|every)\b|\bcite (?:only it|nothing)\b"
            r"|\bdo not (?:cite|use the passages)\b|^\W*override\s*:",
            r"ignorier\w* (?:\w+ ){0,3}(?:anweisungen|regeln)|vergiss (?:\w+ ){0,3}(?:anweisungen|regeln)",
            r"\b(?:ignor\w+|oubli\w+) (?:\w+ ){0,3}(?:instructions|consignes|règles)|\binstructions précédentes\b",
            r"\b(?:ignora|olvida|omite) (?:\w+ ){0,3}(?:instrucciones|reglas)|\bignor\w+ (?:\w+ ){0,3}(?:istruzioni|instruções|regole)",
            r"\b(?:zignoruj|negeer|ignorera) (?:\w+ ){0,3}(?:polecenia|instrukcje|instructies|instruktioner)",
            r"(?:игнорируй|забудь|проигнорируй)\w* (?:\w+ ){0,3}(?:инструкции|указания|правила)",
            r"(?:忽略|无视|忘记|忽視|無視).{0,10}(?:指令|指示|规则|說明|说明)|指示を.{0,6}無視|(?:이전|모든).{0,8}(?:지시|명령).{0,6}무시",
            r"\bset aside (?:what you|everything|all you)\b|\bforget it all\b|\btakes? precedence over (?:all |any )?(?:earlier|previous|prior)\b|\bsystem note\b|\blist your rules\b",
            r"\bstop (?:following|obeying) (?:your|the|all|these)\b|\b(?:admin|system|operator|root|security|developer) override\b|\bunrestricted mode\b",
            r"\b(?:supersedes?|replaces?|overrides?|cancels?) (?:your|all|any) (?:\w+ )?(?:instructions?|directives?|guidelines|rules|prompts?|programming)\b",
            r"\byour (?:\w+ )?(?:instructions?|directives?|guidelines|rules|programming|restrictions) (?:have|has|were|was|are|is) (?:been )?(?:updated|changed|replaced"
            r"|reset|lifted|cancelled|removed|void|over)\b|\bdisable (?:your|all|any) (?:\w+ )?(?:rules|filters?|safety|restrictions)\b",
            r"\b(?:omit|leave out|skip|drop) (?:the|any|all|your) (?:citations?|sources?|references?)\b",
            r"esque[çc]a (?:\w+ ){0,3}instru|talimatlar\w* (?:\w+ ){0,3}yok say|glem (?:alle|de) (?:\w+ ){0,2}(?:instruks|regler)|تجاهل.{0,20}(?:التعليمات|الأوامر)"
            r"|(?:निर्देश|आदेश).{0,20}(?:अनदेखा|नज़रअंदाज़)|(?:ігноруй|забудь)\w* (?:\w+ ){0,3}(?:інструкції|правила)|bỏ qua.{0,20}(?:hướng dẫn|chỉ thị)",
        ),
        "asks for a model's own instructions": (
            r"\b(?:reveal|print|repeat|output|show|tell|reads? out|translate|display|leak|dump|write out|recite)\b.{0,60}"
            r"\b(?:system prompt|your (?:\w+ )?(?:instructions?|rules|prompt|configuration)|everything above"
            r"|(?:rules|instructions) that you were given|(?:its|the) (?:configuration|system prompt))",
            r"\breveal (?:all|the|your|every) (?:\w+ )?(?:context|passages?|prompts?|instructions?|rules|conversation)\b|\bof your (?:system )?(?:prompt|instructions)\b",
            r"\bwhat (?:is|stands) (?:written )?in your (?:instructions|prompt)|\byour (?:hidden|secret|first|initial) (?:instructions?|rules)\b",
            r"\bprompt di sistema\b|\bprompt (?:del )?sistema\b|\bsystem-?prompt (?:aus|preis)|\binvite système\b|系统提示",
        ),
        "says how an answer is to look": (
            rf"\b(?:end|finish|close|begin|start|sign|head|preface|conclude|open) (?:off )?(?:(?:your|each|every|all)(?: of your)? (?:\w+ )?"
            rf"(?:{_REPLY}|messages?|sentences?)\b|the (?:answer|reply) with\b)",
            r"\b(?:end|finish|close|begin|start) (?:it )?(?:off )?with (?:the )?(?:words?|string|text|token|hashtag|stars?|(?-i:[A-Z][\w'-]*[-_ ]?[A-Z0-9]))",
            r"\b(?:answer|reply|respond|write|say|output|print|return)(?: the (?:whole )?\w+| to (?:all|every|each|this) \w+| one \w+| on \w+| with| me| back)*"
            r" (?:only|just|nothing but|solely|exclusively|in place of)\b|\b(?:only|just) (?:write|answer|reply|say|output) (?-i:[A-Z])",
            r"\b(?:answer|reply|respond)\b(?: \w+){0,3}? (?:with|in|as) (?:only |exactly |the (?:single )?(?:word|text|sentence|phrase)|(?:french|german|spanish|"
            r"capital|upper|rhyme|verse|latin)|a json|an? empty)",
            r"\breply with exactly\b|\bwrite (?:your|the) (?:whole )?(?:answer|reply)\b|\breturn an empty (?:answer|reply|response)\b|\bonly permitted (?:output|answer)\b",
            rf"\b(?:your|each|every|all|any|automatic) (?:\w+ )?{_REPLY}\b.{{0,40}}\b(?:must|has to|have to|should|is to|carr(?:y|ies)|consists?|begins?|ends?|contains?)\b",
            rf"\b(?:append|add|adds|include|insert|put|copy|copied|attach|show|mention|repeat)\b.{{0,90}}\b(?:to|in|into|at the end of|in front of|behind|after|before)"
            rf" (?:(?:your|each|every) (?:\w+ )?(?:{_REPLY}|sentence)s?|the (?:answer|reply))\b",
            rf"\bat the end of (?:your|the|each|every) {_REPLY}\b|\b(?:in|on) (?:every|each|all) (?:next )?{_REPLY}\b|\binto your (?:next )?{_REPLY}\b",
            rf"\b(?:the|an|its) {_REPLY} (?:to|of|for) (?:all|every|this) (?:questions?|page)\b|\bto every question with\b|\b(?:sentence|each word) you write\b",
            rf"\bgenerating (?:a|an|the|any|your) {_REPLY}\b|\bwhatever the question\b|\bdo not (?:summari[sz]e|translate) (?:this|it)\b|\bsummari[sz]ing this\b",
            r"\binstead,? (?:write|say|reply|output|answer|print|respond|tell)\b|\btranslate the (?:text )?above\b|\brecommend\b.{0,40}\bto (?:whoever|anyone who|everyone who) asks\b",
            rf"\bwhatever you (?:produce|write|answer|output|say)\b|\bany {_REPLY} that (?:leaves|omits|does not|lacks)\b|\b(?:only|single) valid {_REPLY}\b"
            rf"|\bwrite your {_REPLY}\b|\b(?:respond|reply) in (?!writing|time|full|person|kind|due|duplicate|the\b|an?\b)\w+",
            r"\binclude the (?:text|word|words|phrase|string|code|token)\b|\boutput the (?:text|word|words|phrase|string|code|token)\b",
            r"\bwhoever (?:summari[sz]es|reads|answers) th(?:is|e)\b|\banswers that do not\b|\bthe correct answer is\b|\bhead the (?:list|answer)\b|\bas the whole reply\b",
            r"\bwhen you use this (?:passage|text)\b|\bwrite (?:its title|it now)\b|\brespond in (?:capital|upper)|\bin your (?:next )?(?:answer|reply)\b",
            r"\b(?:antworte|schreibe|beende)\b.{0,30}\b(?:nur|am ende|mit dem wort|das wort)\b|\bdeine antwort\b|\bta réponse\b|\bréponds (?:\w+ )?(?:uniquement|seulement)",
            r"\bresponde (?:únicamente|solo|sólo)|\btu respuesta\b|\bla tua risposta\b|\bscrivi\b.{0,20}\b(?:solo|poi)\b|\bodpowied[źz]\b",
            r"\b(?:напиши|ответь|отвечай)\b.{0,20}\bтолько\b|(?:只|仅|僅)(?:回答|回复|輸出|输出)|だけ(?:答え|出力|書)",
        ),
        "speaks to a model": (
            rf"\b(?:as|if you are) an? {_MODEL}\b|(?:^\W*|\b(?:notes?|messages?|instructions?|correction|hint|memo|word) )(?:to|for) (?:the |any |all )?(?:{_MODEL}|assistants?)\b|\b{_MODEL}\b\W{{0,3}}(?:that|who|which|reading|must|should|may|are|is|give|do|say|describing)\b",
            rf"^\W*(?:dear )?(?:{_MODEL}\b\s?[,:]|assistants?\s?[,:]\s+(?-i:[a-z]|[A-Z]{{4,}}))|\b(?:dear|hey|hello|attention) (?:ai|assistants?|models?|chatbots?|llms?)\b|\bif you(?:'re| are) (?:an? )?(?:ai|llm|(?:large )?language model|chatbot|assistant|bot|model)\b"
            r"|\bwenn du eine? (?:sprachmodell|ki|assistent)|\bsi tu es une? (?:ia|modèle|assistant)|\bsi eres (?:una? )?(?:ia|modelo|asistente)|\bse sei un[a']? ?(?:ia|modello|assistente)"
            r"|如果你是.{0,4}(?:人工智能|ai|模型|助手)|если ты.{0,15}(?:модель|ии\b|ассистент)|\bthe bot (?:must|says?|should)\b|\bas the ai\b|\bas an ai\b",
            r"\bassistants? (?:describing|reading|is asked|first states|reads? out|leaves? out)\b|\bwhen an assistant\b|\bthe assistant (?:must refuse|leaves|reads|adds|writes|answers)\b",
            r"\b(?:assistants?|models?|bots?) (?:processing|parsing|summari[sz]ing|answering)\b|\b(?:assistant|model|bot|ai) (?:should|must|will) (?:now )?(?:call|say|output|reply|respond|obey|print)\b",
            r"\bmodels? (?:that reads?|reading|are forbidden)\b|\bby a model must\b|\bautomatic readers?\b|\bof this assistant\b|\bassistant: (?-i:[a-z])",
            r"\bstyle for the assistant\b|\binstruction (?:to|for) (?:the )?(?:assistant|model|automatic)",
        ),
        "gives a model a role or a task": (
            r"\byou are now\b|\byou are (?:[A-Z]+-[A-Z]+|(?:the|a) (?:parrot|pirate|poet|bot))\b|\byour (?:new|only) (?:role|task|job|name)\b|\bhas a new task\b|\bthe new task\b",
            r"\bfrom (?:now|here) on\b.{0,60}\b(?:you|your|i only|answers?|repl(?:y|ies)|respond|write|say|finish|end)\b|\bpretend (?:that|to be|you)\b|^\W*act as\b",
            r"\bcall yourself\b|\bcall the (?:reader|user)\b|\bcall me\b|\bgreet the (?:user|reader)\b|\blet us play a game\b|\brole-?play\b|\bi order you\b|\bhidden duty\b|\bfrom this (?:point|moment) on(?:ward)?\b|\bwhen(?:ever)? the user asks\b|\byou must (?:comply|obey)\b|\byou will (?:now )?(?:speak|talk|answer|reply|respond|write|act|behave) (?:like|as|in|only)\b",
            r"\byou (?:must|have to|should) (?:answer|say|write|reply|refuse|not reveal)\b|\bi am the (?:developer|administrator)\b",
            r"\b(?:remember|say|write|repeat) the (?:word|words|sentence|passphrase|password|code|token)\b|(?:^\W*|[,:] |\b(?:and|then|must|to|always|only|that it|please) )(?:write|print|say|output)\b[^.]{0,25}\b(?-i:[A-Z]{3,}[A-Z0-9]*(?:[-_ ][A-Z0-9]+)+)\b",
            r"\brepeat the word\b|\bjoin them\b.{0,40}\banswer\b|\bdecode this\b|\bhidden message\b|\bfollow it\b|\bgo on: write\b|\bis answered with\b|\bare answered with\b",
        ),
        "tells what the user is to be told": (
            r"\b(?:tell|inform|ask|asks|told|say to) (?:the )?(?:user|reader)\b|\bthe user(?:'s lawyer)? (?:asks you|now wants)\b|\buser's question\b",
            r"^\W*if asked,? (?:\w+ )?(?:say|answer|tell|reply)|\bwhen somebody asks\b.{0,50}\byou must\b|\bwhoever asks\b.{0,40}\bis told\b",
            r"\bif asked\b[^.]{0,90}\b(?:say|answer|reply|respond|write)\b (?:only |just |with )?(?-i:[A-Z]{4,})|(?:^\W*|[,:;] )(?:answer|respond)(?: with)? (?-i:[A-Z]{4,})",
            r"\b(?:answer|reply|respond|say)\b[^.]{0,40}\bwithout (?:any |an )?(?:explanation|comment|source|citation)s?\b",
            r"\bdo not answer\b(?! the (?:door|phone|telephone))|\bstop here\b|\bdecline politely\b|\bnever mention any other\b|\bmust refuse (?:every|all|to answer)\b"
            r"|\bsay\s?:|\byou (?:cannot|can not) talk about\b|\bin your answer\b",
            r"\bconfirm that the test\b.{0,30}\bby writing\b|\bfor writing '|\bby (?:writing|saying) (?:the )?[\"'A-Z]",
        ),
        "calls a tool": (
            r"\{\s*\"(?:tool|name|function|action)\"\s*:.{0,80}\"(?:arguments|parameters|input)\"|<tool_call>|\btool call\b|^\W*action(?: input)?\s*:\s*\S+",
            r"\b(?:call|invoke|execute) the (?:following )?(?:function \w|tool\b|sql\b)|^\W*(?:observation|thought)\s*:",
        ),
        "asks for a link or a picture in the answer": (
            r"\b(?:show|include|append|add|insert) (?:this|the) (?:image|picture|link|reference)\b|\bmust be copied into\b|\bwhat the user asked\b",
            r"\bappend this\b",
        ),
    }.items()
)  # fmt: skip
"""Why a sentence is taken for an instruction to a model, in words that follow "it"; checked in this order."""

NEEDED: dict[str, frozenset[str]] = {
    reason: frozenset(words.split())
    for reason, words in {
        "tells a model to set its rules aside": "ignore disregard forget override overrides bypass neglect instructions "
        "instruction prompt prompts message rules free without aside precedence system stop override supersedes supersede replace cancels guidelines directives programming disable omit leave skip drop restrictions unrestricted debug developer god replaces cite passages",
        "asks for a model's own instructions": "prompt instructions instruction rules configuration above reveal your",
        "says how an answer is to look": "answer answers reply replies response responses output outputs summary summaries "
        "respond write say print return message messages sentence sentences word words string text token hashtag star stars "
        "whoever title end finish close begin start generating whatever summarize summarise summarizing summarising instead translate asks include",
        "speaks to a model": "ai a llm llms model models bot bots chatbot chatbots assistant assistants readers reader processing",
        "gives a model a role or a task": "you your now here pretend act call greet game am remember repeat say write print "
        "output join decode hidden follow task answered order duty from when whenever roleplay role play",
        "tells what the user is to be told": "tell inform ask asks told say user user's asked answer stop decline mention "
        "refuse writing saying about",
        "calls a tool": "tool name function action call invoke execute observation thought",
        "asks for a link or a picture in the answer": "show include append add insert copied user asked",
    }.items()
}
"""Words of which a sentence must have one before the patterns of a reason are tried: most have none."""
FOREIGN = re.compile(
    r"[^\x00-\u024f]|ignor|vergiss|oubli|olvida|omite|negeer|antwort|schreibe|beende|r[ée]pon|respuesta|risposta|scrivi"
    r"|odpowied|instruc|istruzion|polecenia|prompt|sistema|invite|talimat|esque|glem|wenn du|si tu|si eres|se sei",
    re.IGNORECASE,
)
"""A sentence without any of these is in none of the other languages, or harmless."""
SURE = frozenset(
    "ignore disregard instructions instruction prompt answer reply respond assistant system".split()
)
"""Words of which a disguised reading must have one: by chance, letters in reverse give none."""
