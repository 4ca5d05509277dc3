"""Spelling of Korean headlines: hanja and their readings, particles, syllables as jamo. Mostly data."""

import re
from functools import cache

#: Hanja that, alone in a headline, abbreviate a name or an office → the full word.
NAMES = {
    "美": "미국", "金": "김", "中": "중국", "韓": "한국", "日": "일본", "北": "북한",
    "英": "영국", "獨": "독일", "佛": "프랑스", "露": "러시아", "印": "인도", "濠": "호주",
    "伊": "이탈리아", "歐": "유럽", "亞": "아시아", "靑": "청와대", "野": "야당", "與": "여당",
    "檢": "검찰", "警": "경찰", "銀": "은행", "車": "자동차", "弗": "달러", "中企": "중소기업",
}  # fmt: skip
#: Readings of hanja in Korean headlines, inside words or alone [ours: those common there, each with its reading at the
#: beginning of a word].
_READINGS = (
    "美미 中중 韓한 日일 北북 南남 英영 獨독 佛불 露노 印인 濠호 伊이 歐구 亞아 靑청 野야 與여 檢검 軍군 "
    "警경 銀은 車차 弗불 企기 李이 朴박 金금 文문 尹윤 盧노 安안 鄭정 崔최 趙조 姜강 張장 洪홍 柳유 吳오 "
    "黃황 高고 大대 小소 長장 前전 現현 新신 舊구 最최 初초 再재 反반 對대 親친 非비 無무 不불 有유 全전 "
    "每매 各각 約약 自자 他타 公공 私사 民민 官관 政정 黨당 國국 會회 議의 院원 法법 案안 權권 核핵 戰전 "
    "爭쟁 亂난 勝승 敗패 死사 殺살 生생 命명 人인 男남 女여 父부 母모 子자 兄형 弟제 夫부 婦부 家가 故고 "
    "老노 少소 年년 月월 時시 分분 週주 春춘 夏하 秋추 冬동 節절 上상 下하 內내 外외 間간 左좌 右우 東동 "
    "西서 道도 市시 區구 村촌 校교 學학 敎교 業업 社사 株주 價가 稅세 錢전 油유 銅동 鐵철 電전 貨화 換환 "
    "率율 比비 增증 減감 低저 急급 好호 惡악 益익 損손 害해 利이 勞노 使사 場장 策책 行행 訪방 說설 言언 "
    "論논 書서 答답 問문 疑의 罪죄 刑형 獄옥 判판 決결 訴소 控공 情정 愛애 恨한 淚누 心심 感감 力역 氣기 "
    "水수 火화 風풍 雨우 雪설 山산 江강 海해 港항 空공 機기 船선 線선 卒졸 票표 選선 派파 系계 性성 病병 "
    "醫의 藥약 食식 飮음 酒주 米미 肉육 魚어 店점 房방 債채 弱약 强강 王왕 神신 字자 語어 漢한 史사 代대 "
    "世세 紀기 期기 限한 合합 半반 倍배 一일 二이 三삼 四사 五오 六육 七칠 八팔 九구 十십 百백 千천 萬만 "
    "億억 兆조"
)
#: Case and topic particles that a word may end in, longest first [ours, as in any grammar].
_PARTICLES = (
    "으로써|으로서|에게서|이라고|에서는|에서도|으로는|라고|에서|에게|부터|까지|처럼|보다|으로|이나|마다|조차|마저|"
    "은|는|이|가|을|를|에|의|도|만|로|와|과|나|라"
)
_PARTICLE = re.compile(rf"(?<=[가-힣]{{2}})(?:{_PARTICLES})$")
_HANJA = re.compile(r"[一-龥豈-龎]+")
#: Single jamo in the order of Unicode, double letters and clusters as two; the first final is none.
_INITIALS = "ㄱ,ㄱㄱ,ㄴ,ㄷ,ㄷㄷ,ㄹ,ㅁ,ㅂ,ㅂㅂ,ㅅ,ㅅㅅ,ㅇ,ㅈ,ㅈㅈ,ㅊ,ㅋ,ㅌ,ㅍ,ㅎ"
_VOWELS = "ㅏ,ㅐ,ㅑ,ㅒ,ㅓ,ㅔ,ㅕ,ㅖ,ㅗ,ㅗㅏ,ㅗㅐ,ㅗㅣ,ㅛ,ㅜ,ㅜㅓ,ㅜㅔ,ㅜㅣ,ㅠ,ㅡ,ㅡㅣ,ㅣ"
_FINALS = ",ㄱ,ㄱㄱ,ㄱㅅ,ㄴ,ㄴㅈ,ㄴㅎ,ㄷ,ㄹ,ㄹㄱ,ㄹㅁ,ㄹㅂ,ㄹㅅ,ㄹㅌ,ㄹㅍ,ㄹㅎ,ㅁ,ㅂ,ㅂㅅ,ㅅ,ㅅㅅ,ㅇ,ㅈ,ㅊ,ㅋ,ㅌ,ㅍ,ㅎ"


def read_hanja(text: str) -> str:
    """Spell hanja in Hangul: one alone as the name it abbreviates, others by their reading; unknown ones stay.

    >>> read_hanja("美 금리"), read_hanja("反美"), read_hanja("鷄")
    ('미국 금리', '반미', '鷄')
    """
    return _HANJA.sub(_read, text)


def strip_particle(word: str) -> str:
    """Cut the particle off a Korean word of at least three syllables; any other word stays as it is.

    >>> strip_particle("물가는"), strip_particle("나는"), strip_particle("prices")
    ('물가', '나는', 'prices')
    """
    return _PARTICLE.sub("", word)


def to_jamo(letters: str) -> str:
    """Spell Hangul syllables as single jamo; other characters stay.

    >>> to_jamo("닭was")
    'ㄷㅏㄹㄱwas'
    """
    return letters.translate(_jamo())


def _read(found: re.Match[str]) -> str:
    run = found.group()
    return NAMES.get(run) or "".join(_readings().get(character, character) for character in run)


@cache
def _readings() -> dict[str, str]:
    return {pair[0]: pair[1:] for pair in _READINGS.split()}


@cache
def _jamo() -> dict[int, str]:
    """Hangul syllables are numbered by initial, vowel and final (The Unicode Standard, §3.12)."""
    initials, vowels, finals = (jamo.split(",") for jamo in (_INITIALS, _VOWELS, _FINALS))
    spelled = (first + vowel + last for first in initials for vowel in vowels for last in finals)
    return dict(enumerate(spelled, ord("가")))
