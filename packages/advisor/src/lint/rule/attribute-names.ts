/** Last words of names whose values are few. */
const FEW_VALUES = new Set(
  `status state type kind category flag enabled disabled active deleted archived processed published gender country
  language locale currency role tier level priority severity environment env stage plan phase outcome result
  visibility typename approved completed verified`.split(/\s+/),
)
const FLAG_PREFIXES = new Set(['is', 'has'])
/** Last words of names whose values are periods: many items share the current one. */
const PERIODS = new Set(
  'date day week month quarter year hour minute period yearmonth yyyymm yyyymmdd'.split(' '),
)
/** Last words of names whose values rise with time. */
const RISING = new Set(
  `timestamp time ts date datetime epoch at created createdat updatedat sequence seq ulid ksuid snowflake uuidv7
  offset revision`.split(/\s+/),
)
/** Names of times that most updates of an item change. */
const CHANGING_TIMES = new Set(
  `updatedat updated lastupdated lastmodified modifiedat modified lastseen lastseenat lastlogin lastloginat
  lastaccess lastaccessed lastaccessedat lastactivity lastactivityat lastused lastusedat lastping heartbeat`.split(
    /\s+/,
  ),
)

/** Names of numbers that most updates of an item change. */
const CHANGING_COUNTS = new Set('score rank views viewcount likes likecount'.split(' '))

/** Whether an attribute's name says that it has few values, such as `orderStatus` or `is_active`. */
export function namesFewValues(name: string): boolean {
  const words = wordsOf(name)
  return FLAG_PREFIXES.has(words[0] ?? '') ? words.length > 1 : FEW_VALUES.has(words.at(-1) ?? '')
}

/** Whether it says that its values are periods, such as `order_date`. */
export function namesPeriod(name: string): boolean {
  const words = wordsOf(name)
  return PERIODS.has(words.at(-1) ?? '') || PERIODS.has(words.join(''))
}

/** Whether it says that later items have higher values, such as `createdAt`. */
export function namesRisingValues(name: string): boolean {
  const words = wordsOf(name)
  return RISING.has(words.at(-1) ?? '') || RISING.has(words.join(''))
}

/** Whether it says that updates of an item change it, such as `updatedAt`. */
export function namesChangingTime(name: string): boolean {
  return CHANGING_TIMES.has(wordsOf(name).join(''))
}

/** Whether it says that it is a number that changes with the item's use, such as `score`. */
export function namesChangingCount(name: string): boolean {
  return CHANGING_COUNTS.has(wordsOf(name).join(''))
}

/** `orderStatus`, `order_status` and `ORDER-STATUS` as `['order', 'status']`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}
