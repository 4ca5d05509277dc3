"""Words, names and notices that the rules look for, as data. Matching never depends on case.

Compiled by us from the sources named and from how real articles end; add entries freely, each with a test.
"""

#: Parts of a URL's path, sections, and labels of headlines and outlets → genre. White space and _ are written as -.
GENRE_LABELS = {
    **dict.fromkeys(
        (
            "opinion", "opinions", "op-ed", "oped", "op-eds", "opinion-piece", "commentary", "commentaries",
            "commentisfree", "comment", "editorial", "editorials", "editorial-board", "columnist", "columnists",
            "column", "columns", "letters", "letters-to-the-editor", "guest-column", "guest-columns", "viewpoint",
            "viewpoints", "perspective", "meinung", "kommentar", "kommentare", "leitartikel", "tribune", "tribunes",
            "éditorial", "edito", "édito", "chronique", "opinión", "opiniones", "opinione", "opinioni", "사설", "칼럼",
            "기고", "오피니언", "社説", "オピニオン",
        ),
        "opinion",
    ),
    **dict.fromkeys(("satire", "humor", "humour", "parody", "glosse"), "satire"),
    **dict.fromkeys(
        (
            "live", "liveblog", "live-blog", "live-blogs", "live-news", "live-updates", "live-update", "live-coverage",
            "livecoverage", "liveticker", "live-ticker", "live-reporting", "en-direct",
        ),
        "live",
    ),
}  # fmt: skip

#: Labels that also count as the last word of an outlet's name and as the first part of a host.
OPINION_NAMES = frozenset(("opinion", "opinions", "op-ed", "editorial", "editorials"))

#: What a record may state as its genre → genre.
STATED_GENRES = {**GENRE_LABELS, "news": "news", "report": "news", "reportage": "news", "unknown": "unknown"}

#: Lines that say that the text goes on elsewhere. "Read more:" with a colon does not: it introduces links.
TRUNCATION_NOTICES = (
    r"\[?\+\s?\d[\d,]* (?:chars|characters|words)\]?$",
    r"^\W*(?:read|see|view) (?:more|on|the rest)(?: here)?\s*[.»›→>…\]]*$",
    r"\((?:more|mehr|suite)\s*(?:\.\.\.|…)?\)$",
    r"[\[(](?:read more|more)\s*(?:\.\.\.|…)?[\])]$",
    r"\b(?:continue|keep) reading\b(?!.{80})",
    r"^\W*(?:click here to )?(?:read|see|view|get) the (?:full|whole|entire|rest of the|complete) "
    r"(?:story|article|report|post|piece)\b",
    r"^\W*(?:please )?(?:subscribe|sign (?:in|up)|log ?in|register|pay)(?: now)?(?: or \w+(?: in)?)? to "
    r"(?:continue|keep|read|view|access|see|unlock)\b",
    r"\bto (?:continue|keep) reading,? (?:please )?(?:subscribe|sign|log|register)\b",
    r"\bthis (?:article|story|content) is (?:available )?(?:only )?(?:for|to) (?:\w+ )?(?:subscribers|members)\b",
    r"^\W*already (?:a|have an?) (?:subscri|member|account)",
    r"^\W*(?:weiterlesen|mehr lesen|jetzt weiterlesen)\b.{0,40}$",
    r"^\W*(?:lire la suite|cet article est réservé aux abonnés)\b",
    r"^\W*(?:leer más|seguir leyendo|continuar leyendo|leggi tutto|continua a leggere)\W*$",
    r"^\W*(?:기사 ?(?:전문|더) ?보기|더 ?보기|전문 ?보기)\W*$",
    r"^\W*(?:続きを読む|この記事は有料会員)",
)

#: Lines that follow an article and do not show whether it is complete.
BOILERPLATE = (
    r"^\W*(?:copyright\b|©|\(c\)\s*\d{4})",
    r"\ball rights reserved\b",
    r"\bcontribut(?:ed|ing|ion)s? (?:to|by)\b|^\W*contributing:|^\W*(?:additional )?reporting by\b",
    r"^\W*with (?:assistance|additional reporting|files|reporting) (?:by|from)\b",
    r"^\W*(?:advertisement|ad|sponsored|anzeige|publicité|광고)\W*$",
    r"^\W*(?:follow|like|join|find) (?:us|me|him|her|them|[\w.'’ ]{2,40}) on "
    r"(?:twitter|facebook|instagram|x|telegram)\b",
    r"^\W*read or share this story\b",
    r"^\W*(?:read|see) (?:more|also)\b\W*(?::|from|by|about|on|at)|^\W*(?:more|related)\s?:",
    r"^\W*click here (?:to|for)\b",
    r"^\W*(?:sign up|subscribe|download|listen|watch|want [^.?]{0,60} in your inbox)\b",
    r"\b(?:newsletters?|your inbox|podcasts?)\W*$",
    r"^\W*(?:write to|contact|e-?mail|tips\?)\b.{0,80}@",
    r"^\W*(?:published|updated|last updated|first published|posted)\b.{0,60}\d",
    r"^\W*(?:image|photo|picture|file photo|photograph|getty images)\b",
    r"^[-–—_*=#•.\s]+$",
    r"^\W*https?://\S+\W*$",
)

#: Notices in a text that was published before the story was finished.
DEVELOPING_NOTICES = (
    r"\b(?:this is a|a) (?:developing|breaking)(?: news)? (?:story|news)\b",
    r"\b(?:story|article|post|page) (?:is being|will be|was being) (?:continuously |continually )?updated\b",
    r"\b(?:check back|refresh) (?:here |often |soon |this page )*for (?:the latest |more )?updates\b",
    r"\bdieser artikel wird (?:laufend )?aktualisiert\b",
    r"\bcet article sera mis à jour\b",
)

#: Credits that news agencies use → name. National agencies are from the membership lists of EANA and OANA.
AGENCIES = {
    **dict.fromkeys(("reuters", "thomson reuters", "reuters.com", "로이터"), "Reuters"),
    **dict.fromkeys(("ap", "a.p.", "associated press", "the associated press", "ap news"), "Associated Press"),
    **dict.fromkeys(("afp", "agence france-presse", "agence france presse"), "AFP"),
    **dict.fromkeys(("upi", "united press international"), "UPI"),
    **dict.fromkeys(("tns", "tribune news service"), "Tribune News Service"),
    **dict.fromkeys(("bloomberg", "bloomberg news"), "Bloomberg"),
    **dict.fromkeys(("pa media", "press association", "the press association"), "PA Media"),
    **dict.fromkeys(("cp", "canadian press", "the canadian press"), "The Canadian Press"),
    **dict.fromkeys(("aap", "australian associated press"), "AAP"),
    **dict.fromkeys(("dpa", "deutsche presse-agentur"), "dpa"),
    **dict.fromkeys(("apa", "austria presse agentur"), "APA"),
    **dict.fromkeys(("sda", "keystone-sda"), "Keystone-SDA"),
    **dict.fromkeys(("epd", "evangelischer pressedienst"), "epd"),
    **dict.fromkeys(("kna",), "KNA"),
    **dict.fromkeys(("efe", "agencia efe"), "EFE"),
    **dict.fromkeys(("europa press",), "Europa Press"),
    **dict.fromkeys(("ansa", "agenzia ansa"), "ANSA"),
    **dict.fromkeys(("adnkronos",), "Adnkronos"),
    **dict.fromkeys(("lusa",), "Lusa"),
    **dict.fromkeys(("belga",), "Belga"),
    **dict.fromkeys(("anp",), "ANP"),
    **dict.fromkeys(("ntb",), "NTB"),
    **dict.fromkeys(("ritzau",), "Ritzau"),
    **dict.fromkeys(("stt",), "STT"),
    **dict.fromkeys(("pap",), "PAP"),
    **dict.fromkeys(("tass", "itar-tass", "тасс"), "TASS"),
    **dict.fromkeys(("interfax", "интерфакс"), "Interfax"),
    **dict.fromkeys(("ukrinform", "укрінформ"), "Ukrinform"),
    **dict.fromkeys(("anadolu", "anadolu agency"), "Anadolu"),
    **dict.fromkeys(("irna",), "IRNA"),
    **dict.fromkeys(("xinhua", "xinhua news agency", "新华社"), "Xinhua"),
    **dict.fromkeys(("kyodo", "kyodo news", "共同"), "Kyodo"),
    **dict.fromkeys(("jiji", "jiji press", "時事"), "Jiji"),
    **dict.fromkeys(("yonhap", "yonhap news agency", "연합뉴스"), "Yonhap"),
    **dict.fromkeys(("newsis", "뉴시스"), "Newsis"),
    **dict.fromkeys(("news1", "뉴스1"), "News1"),
    **dict.fromkeys(("pti", "press trust of india"), "PTI"),
    **dict.fromkeys(("ani", "asian news international"), "ANI"),
    **dict.fromkeys(("ians",), "IANS"),
    **dict.fromkeys(("bernama",), "Bernama"),
    **dict.fromkeys(("antara",), "Antara"),
    **dict.fromkeys(("notimex",), "Notimex"),
    **dict.fromkeys(("télam", "telam"), "Télam"),
    **dict.fromkeys(("agência brasil", "agencia brasil"), "Agência Brasil"),
}

#: Words that show that a name is an agency's.
AGENCY_WORDS = (
    r"\b(?:news)?wire$", r"\b(?:news|press|wire) (?:agency|service|association)$", r"\bpress international$",
    r"nachrichtenagentur", r"presse-?agentur", r"\bagence de presse\b", r"\bagencia de noticias\b", r"통신$",
)  # fmt: skip

#: Words in brackets after capitals that are not agencies: parties, newsroom notes.
NOT_AGENCIES = frozenset(("d", "r", "i", "video", "photo", "photos", "watch", "updated", "update", "file", "live"))
