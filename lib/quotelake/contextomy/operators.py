"""What may govern an excerpt from outside: the operators, how grave each is, and the patterns that find them. Data."""

import re
from dataclasses import dataclass
from functools import partial

#: What may govern an excerpt: its loss in words, and its severity [ours]: the order of the true alerts that readers
#: found gravest; re-estimated from reviews.
OPERATORS = {
    "negation": ("a negation is lost", 0.9),
    "condition": ("a condition is lost", 0.6),
    "comparison": ("a comparison is cut", 0.7),
    "contrast": ("an alternative is lost", 0.7),
    "number": ("a number is no longer a guess or limit", 0.6),
    "hedge": ("a possibility becomes a fact", 0.5),
    "question": ("a question becomes a statement", 0.7),
    "others": ("what others say becomes the speaker's own words", 0.9),
}
_pattern = partial(re.compile, flags=re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Operator:
    """What an excerpt leaves out and what governs it."""

    kind: str  #: a key of :data:`OPERATORS`
    shown: str  #: its words, as the body has them
    severity: float  #: how much its loss changes what a reader believes, 0 to 1 [ours]

    @property
    def phrase(self) -> str:
        """The loss in words: *a condition is lost (“if it occurred”)*."""
        phrase, _ = OPERATORS[self.kind]
        return f"{phrase} (“{self.shown}”)" if self.shown else phrase


def operator(kind: str, part: str = "", severity: float | None = None, *, from_end: bool = False) -> Operator:
    """Make an operator of a part of a text, shown in one line by its first ten words, or its last.

    >>> operator("hedge", "it  may, ").phrase
    'a possibility becomes a fact (“it may”)'
    """
    shown = part.split()[-10:] if from_end else part.split()[:10]
    grave = OPERATORS[kind][1] if severity is None else severity
    return Operator(kind, " ".join(shown).strip(" ,;:—–-\"“”'‘’"), grave)


#: A condition that is itself quoted as a fact; and what is granted by *even if*, which limits hardly anything.
ANTECEDENT = 0.9
EVEN = 0.5
#: Of a fragment a negation turns less: *don't want a 'major lawsuit'* still speaks of one.
FRAGMENT = 0.6
#: Words between a negation and a fragment that it governs, and between a modal and what it weakens [ours].
NEAR_NEGATION, NEAR_MODAL = 6, 3
#: Words of a negated frame that leave what follows as true as it was: *can't believe we won*, *not only*.
KEEPS = _pattern(
    r"(?<!\w)(?:(?:no|without|beyond|little)\s+(?:doubt|question|secret|surprise|coincidence|accident|longer)|"
    r"no\s+(?:more|less|better|other|greater)|not?\s+(?:just|only|merely|simply|least|surprised|surprising)|"
    r"(?:n['’]t|not|never|cannot|nobody|no\s+one|none)\s+(?:\w+\s+){0,2}(?:appreciate|like|allow|accept|tolerate|stand|"
    r"forget|ignore|deny|dispute|doubt|know\s+why|care|mind|help|"
    r"regret|condone|excuse|underestimate|hide|overlook|escape|stop|imagine|wait|agree\s+more|just|only|merely|simply|"
    r"let)|can(?:['’]t|not)\s+believe|could\s?n['’]t\s+believe)(?!\w)",
)
PRESUPPOSED = _pattern(
    r"(?:\b(?:this|these|those|my|his|her|their|our|your|its)|such\s+(?:\w+\s+){0,2}\w+|['’]s)\W{0,8}\Z"
)
#: What follows is taken for true, negated or not: *can't hide the fact that*; not *no evidence that*.
FACT_THAT = _pattern(r"(?<!\w)(?:fact|the\s+reason)\s+(?:\w+\s+){0,3}that\W{0,8}\Z")
#: Say the reverse of the words that follow at once.
REVERSES = _pattern(r"(?<!\w)(?:anything\s+but|far\s+from|nowhere\s+near|the\s+opposite\s+of)\W{0,8}\Z")
#: Conditions; not *when* and *until*, which nearly always say only the time.
IF = _pattern(
    r"(?<!\w)(?<!even )(?<!as )(?<!what )(?<!and )(?:"
    r"if(?!\s+(?:not|only|anything|any|necessary|you\s+(?:will|like|ask\s+me)|i\s+may)(?!\w))|unless|provided|providing\s+that|as\s+long\s+as|so\s+long\s+as|in\s+case|on\s+(?:the\s+)?condition|in\s+the\s+event"
    r"|assuming|supposing|only\s+when|otherwise)(?!\w)",
)
#: Make no condition with an *if* before them: *if any*, *if not all*.
IF_WORDS = _pattern(r"(?:not|only|anything|any|ever|necessary|possible)(?!\w)")
#: Before an *if* that asks instead of setting a condition.
ASKING = _pattern(
    r"(?<!\w)(?:know|knows|see|sure|ask|asks|asked|wonder|wondering|unclear|tell|decide|question|certain)\s+(?:\w+\s+)?$",
)
#: The excerpt itself says that a condition was not met; and a modal before it makes a statement of it.
COUNTERFACTUAL = _pattern(r"(?<!\w)(?:would|could|might)(?:n['’]t)?\s+(?:not\s+)?have(?!\w)|['’]d\s+have(?!\w)")
CONDITIONAL = _pattern(r"(?<!\w)(?:would|could|might)(?!\w)|['’]d(?!\w)")
MODAL_BEFORE = _pattern(r"(?<!\w)(?:will|would|shall|should|must|can|could|may|might|wo|going to)\W{0,8}\Z")
EVEN_IF = _pattern(r"(?<!\w)even\s+if(?!\w)")
#: Begins another clause, which no negation before it reaches.
OTHER_CLAUSE = _pattern(
    r"\.{2}|(?<!\w)(?:where|when|whom|whose|how|because|since|after|before|than|though|although|until)(?!\w)"
)
RESTORES_CONDITION = _pattern(
    r"(?<!\w)(?:if|unless|when|whenever|should|would|in\s+case|assuming|conditional\w*)(?!\w)"
)
FACTIVE_THAT = _pattern(r"(?<!\w)(?:discover|know|realize|realise|see|find|remember|learn)\s+that(?!\w)")
THAN = _pattern(r"[^\w.!?;:,]*(than|compared\s+(?:to|with))(?!\w)")
OR = _pattern(r"[^\w.!?;:]*or\s+([\w’']+)")
DISCLAIMED = _pattern(
    r"(?<!\w)(?:figuratively|metaphorically|hypothetically|rhetorically|theoretically|in\s+theory|in\s+jest|jokingly|"
    r"just\s+kidding|so\s+to\s+speak|not\s+literally|sarcastically|ironically)(?!\w)",
)
GUESS = _pattern(
    r"(?<!\w)(perhaps|maybe|possibly|probably|potentially|up\s+to|as\s+(?:many|much|few|little)\s+as|at\s+most|under|"
    r"at\s+best)\W{0,8}\Z",
)
GUESS_AFTER = _pattern(r"[^\w.!?;:]*(perhaps|maybe|possibly|or\s+so|at\s+most|or\s+(?:fewer|less|more))(?!\w)")
NUMBER = _pattern(
    r"[$£€]?(?:\d|(?:a\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|dozens?|hundreds?|thousands?|millions?|"
    r"billions?|trillions?|half|most|all|every)(?!\w))",
)
MODAL = _pattern(
    r"(?<!\w)((?-i:may)|might|could|perhaps|maybe|possibly|potentially|apparently|allegedly)(?!\w)"
    rf"(?:\s++[\w’'-]++){{0,{NEAR_MODAL}}}\W{{0,8}}\Z",
)
#: The same right before what it weakens, which may be a fragment then.
MODAL_OF_FRAGMENT = _pattern(
    r"(?<!\w)((?-i:may)|might|could|perhaps|maybe|possibly|potentially|apparently|allegedly)"
    r"(?:\s+(?:have|be|been|have been|well|also|even|soon))?\W{0,8}\Z",
)
FINITE_FIRST = _pattern(r"(?:did|was|were|is|are|has|had|am)(?!\w)")
RESTORES_HEDGE = _pattern(
    r"(?<!\w)(?:may|might|could|can|would|perhaps|maybe|possibl\w+|potential\w*|probabl\w+|likely|unlikely|allege\w*|"
    r"suggest\w*|hint\w*|moot\w*|suspect\w*|believe\w*|think\w*|predict\w*|hope\w*|fear\w*|warn\w*|risk\w*|chance\w*|seem\w*|appear\w*|unclear|"
    r"if|up\s+to|as\s+many|open\s+to|consider\w*|mull\w*|maybe)(?!\w)|\?",
)
RESTORES_NUMBER = _pattern(
    r"(?<!\w)(?:may|might|could|perhaps|maybe|possibl[ey]|up\s+to|as\s+many|as\s+much|estimate\w*|about|nearly|almost)(?!\w)",
)
INVERTED = _pattern(
    r"(?:(?:and|but|so|well|now|then),?\s+)?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|"
    r"can|could|will|would|should|shall|have|has|had|am|isn|aren|wasn|don|doesn|didn|won)(?!\w)",
)
TAG = _pattern(
    r"(?<!\w)(?:right|correct|okay|ok|huh|eh|yes|no|you\s{1,4}know|(?:is|are|was|were|do|does|did|has|have|wo|ca|would|could)"
    r"(?:n['’]t)?\s{1,4}(?:it|they|he|she|we|you|i))\s{0,4}\?\W{0,8}\Z",
)
RESTORES_QUESTION = _pattern(
    r"\?|(?<!\w)(?:ask\w*|wonder\w*|question\w*|why|how|whether|doubt\w*|demand\w*|challenge\w*)(?!\w)"
)
MAY = r"(?:will\s+|would\s+|might\s+|may\s+|always\s+|still\s+|used\s+to\s+)?"
SAY = r"say|says|said|saying|claim|claimed|call|called|tell\s+(?:me|us)|told\s+(?:me|us)|keep\s+saying"
#: A report of others in the speaker's words, before what they say; *they think* may be of the speaker's side.
OTHERS_SAY = _pattern(
    r"(?<!\w)(?P<report>(?:(?:some|many|most|other|a\s+lot\s+of|these|those)\s+)?"
    rf"(?:(?P<who>people|critics|opponents|others|everybody|everyone|folks|skeptics)\s+{MAY}(?:{SAY}|think|thought)"
    rf"|(?P<they>they)\s+{MAY}(?:{SAY})))"
    r"(?:\s+that)?[\s,:]{0,4}\Z",
)
#: Before such a report, which is then only named: *as they say*, *no matter what people say*.
NAMED = _pattern(r"(?<!\w)(?:as|like|what|whatever)\s+\Z")
CLAUSE_END = re.compile(r"[,;:.!?()–—]")
