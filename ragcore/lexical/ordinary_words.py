"""Short English words that an abbreviation may look like: WHO is one in capitals only."""

from __future__ import annotations

ORDINARY_WORDS = frozenset(
    """
    a i ab ad ah am an as at ax be by do eh er ex go ha he hi ho if in is it la lo ma me mi my no
    of oh ok on or ow ox pa pi so to uh um up us we ya ye yo
    ace act add ado age ago aid ail aim air ale all and ant any ape apt arc are ark arm art ash ask ate
    awe axe bad bag ban bar bat bay bed bee beg bet bib bid big bin bit boa bog boo bow box boy bud bug
    bum bun bus but buy bye cab can cap car cat cod cog con cop cot cow coy cry cub cue cup cut dab dad
    dam day den dew did die dig dim din dip doc doe dog don dot dry due dug dye ear eat ebb egg ego elf
    elm end era eve eye fad fan far fat fax fed fee few fig fin fir fit fix flu fly fog for fox fun fur
    gap gas gel gem get gin god got gum gun gut guy gym had ham has hat hay hem hen her hey hid him hip
    his hit hog hop hot how hub hue hug hut ice icy ill ink inn ion its ivy jam jar jaw jay jet job jog
    joy jug key kid kin kit lab lad lag lap law lay led leg let lid lie lip lit log lot low mad man map
    mat max may men met mid mix mob mom mop mud mug mum nap net new nil nod nor not now nun nut oak oar
    oat odd off oil old one opt orb ore our out owe owl own pad pal pan par pat paw pay pea peg pen per
    pet pie pig pin pit pod pop pot pro pub pup put rag ram ran rap rat raw ray red rib rid rig rim rip
    rob rod rot row rub rug rum run rye sad sag sap sat saw say sea see set sew she shy sin sip sir sit
    six ski sky sly son sow soy spa spy sue sum sun tab tag tan tap tar tax tea ten the thy tie tin tip
    toe ton too top tow toy try tub tug two use van vat vet via vow wag war was wax way web wed wet who
    why wig win wit won yes yet you zip zoo
    able acid aged aids also area army away baby back bald ball band bank bare bark barn base bath bead
    beam bean bear beat been beer bell belt bend best bike bill bird bite blow blue boat body bold bolt
    bond bone book boom boot born boss both bowl bulk burn bush busy cafe cage cake call calm came camp
    card care cart case cash cast cave cell chat chef chip city clay clip club coal coat code coin cold
    come cook cool cope copy core corn cost crew crop cure dark data date dawn days dead deaf deal dean
    dear debt deck deep deer desk diet dirt dish disk dive dock does done door dose down drag draw drop
    drug drum dual duck dull dumb dump dust duty each earn ease east easy edge else even ever evil exam
    exit face fact fade fail fair fall fame farm fast fate fear feed feel feet fell felt file fill film
    find fine fire firm fish five flag flat flow foam fold folk food foot fork form fort four free frog
    from fuel full fund gain game gate gave gear gift girl give glad goal goat goes gold golf gone good
    gown grab gray grew grey grid grip grow gulf hair half hall hand hang hard harm hate have head heal
    hear heat heel held help herb here hero hide high hill hint hire hold hole home hook hope horn host
    hour huge hung hunt hurt idea inch into iron item jail join joke jump jury just keen keep kept kick
    kill kind king knee knew know lack lady laid lake lamb lamp land lane last late lawn lead leaf lean
    leap left lend lens less life lift like limb line link lion list live load loan lock logo long look
    lord lose loss lost loud love luck lung made mail main make male mall many mark mask mass mate meal
    mean meat meet melt menu mess mild mile milk mill mind mine miss mode mood moon more most move much
    must nail name navy near neat neck need nest news next nice nine none noon nose note noun oath obey
    okay once only onto open oral oven over pace pack page paid pain pair pale palm park part pass past
    path peak pear peel peer pick pile pill pine pink pipe plan play plea plot plug plus poem poet pole
    poll pond pool poor port pose post pour pray prep pull pump pure push quit race rack rail rain rank
    rare rate read real rear rely rent rest rice rich ride ring rise risk road rock role roll roof room
    root rope rose rude rule rush safe said sail sake sale salt same sand save scan seal seat seed seek
    seem seen self sell send sent ship shop shot show shut sick side sign silk sing sink site size skin
    skip slip slow snow soap sock soft soil sold sole some song soon sort soul soup spin spot star stay
    stem step stir stop such suit sure swim tail take tale talk tall tank tape task team tear tech teen
    tell tend tent term test text than that them then they thin this tide tidy tile till time tiny tire
    told toll tone took tool tour town trap tray tree trim trip true tube tune turn twin type ugly unit
    upon urge used user vary vast verb very view visa vote wage wait wake walk wall want warm warn wash
    wave weak wear week well went were west what when whom wide wife wild will wind wine wing wipe wire
    wise wish with wolf wood wool word wore work worm worn wrap yard yeah year your zero zone
    about after again alert alarm basic brake bring catch chain chart check chest class clean clear
    close coach could count cover cross dream drive early earth every field fight first flame flash
    fleet floor force frame fresh front grade grant grape great green group guard guide heart house
    learn leave level light local lunch march match media metal money month motor mouse mouth music
    never night ocean offer order other paint panel paper party peace phase phone place plant plate
    point pound power press price pride prime print prize proof quick quiet radio raise range reach
    ready right river round route safer score scope sense serve seven shall share sharp sheet shift
    shore short sight skill sleep small smart smile smoke solid solve sound south space spare speak
    speed spend sport staff stage stand start state steam steel stone store storm study style sugar
    table taste teach thank their there these thing think three tiger tired title today token total
    touch tower track trade train treat trend trial trust truth under union until upper urban value
    video visit voice waste watch water wheel where which while white whole woman world worth would
    write wrong young youth
    """.split()
)


def is_ordinary_word(short: str) -> bool:
    """Whether a short form reads as a word once its capitals are gone; a single letter does."""
    return len(short) == 1 or short.casefold() in ORDINARY_WORDS
