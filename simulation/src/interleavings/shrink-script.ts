import { plainLine, type ScriptLine } from './script-lines.js'

/** Whether a script still fails as the first one did. */
export type Fails = (lines: readonly ScriptLine[]) => Promise<boolean>

const TIME = /^(\d[\d.]*)s /
const MILLISECONDS = / (\d+\.\d+)ms\b/g
const LONG_TEXT = /\bx\*\d+/g
/** Of times in seconds; the fewest first. */
const DIGITS = [0, 1, 2, 3, 4]
const OPTIONS = /^(table \S+|settings|process [^:]+|\d\S* process [^:]+): (.+)$/

/**
 * Makes a failing script smaller, as long as it fails in the same way: steps, rules and options that it does not need are left
 * out, and times get fewer digits.
 */
export async function shrinkScript(
  lines: readonly ScriptLine[],
  fails: Fails,
): Promise<readonly ScriptLine[]> {
  let best = lines
  const accept = async (candidate: readonly ScriptLine[]) => {
    const isSmaller = await fails(candidate)
    if (isSmaller) best = candidate
    return isSmaller
  }
  await accept(best.map(({ text }) => plainLine(text)))
  for (let before = Number.POSITIVE_INFINITY; sizeOf(best) < before; ) {
    before = sizeOf(best)
    await withFewer(best, accept)
    await withFewer(rulesIn(best), (kept) => accept(withRules(best, kept)))
  }
  for (const digits of DIGITS) if (await accept(best.map((line) => withDigits(line, digits)))) break
  for (let index = 0; index < best.length; index++) {
    for (const digits of DIGITS)
      if (await accept(best.map((line, at) => (at === index ? withDigits(line, digits) : line)))) break
  }
  for (let index = 0; index < best.length; index++) await withFewerOptions(best, index, accept)
  return best
}

function sizeOf(lines: readonly ScriptLine[]): number {
  return lines.reduce((sum, { rules }) => sum + 1 + rules.length, 0)
}

/** Leaves parts out, at first many at a time and then one by one. */
async function withFewer<T>(
  parts: readonly T[],
  accept: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = parts
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
    // From behind: what came last is mostly what it took, and what came before mostly is not.
    for (let end = kept.length; end > 0; end -= size) {
      const fewer = kept.filter((_part, index) => index < end - size || index >= end)
      if (await accept(fewer)) kept = fewer
    }
  }
  return kept
}

interface RuleAt {
  readonly line: number
  readonly rule: string
}

function rulesIn(lines: readonly ScriptLine[]): readonly RuleAt[] {
  return lines.flatMap(({ rules }, line) => rules.map((rule) => ({ line, rule })))
}

function withRules(lines: readonly ScriptLine[], kept: readonly RuleAt[]): readonly ScriptLine[] {
  return lines.map(({ text }, index) => ({
    text,
    rules: kept.filter(({ line }) => line === index).map(({ rule }) => rule),
  }))
}

/** With times of fewer digits, and without texts that are only long. */
function withDigits({ text, rules }: ScriptLine, digits: number): ScriptLine {
  const rounded = (number: string) => String(Number(Number(number).toFixed(digits)))
  const rough = (part: string) =>
    part
      .replace(LONG_TEXT, 'x')
      .replace(MILLISECONDS, (_all, time: string) => ` ${Math.round(Number(time))}ms`)
  return {
    text: rough(text.replace(TIME, (_all, seconds: string) => `${rounded(seconds)}s `)),
    rules: rules.map(rough),
  }
}

/** Without these a script would say something else: it could fail although nothing is broken. */
const NEEDED = ['random', 'calculated', 'adopt', 'stale', 'latest', 'optionalRules']

function parted(options: readonly string[]): readonly [removable: string[], needed: string[]] {
  const isNeeded = (option: string) => NEEDED.includes(option.split(' ')[0] ?? '')
  return [options.filter((option) => !isNeeded(option)), options.filter(isNeeded)]
}

async function withFewerOptions(
  lines: readonly ScriptLine[],
  index: number,
  accept: (lines: readonly ScriptLine[]) => Promise<boolean>,
): Promise<void> {
  const line = lines[index]
  const [, head, options] = OPTIONS.exec(line?.text ?? '') ?? []
  if (line === undefined || head === undefined || options === undefined) return
  const withOptions = (kept: readonly string[]) => {
    const text = kept.length === 0 ? head : `${head}: ${kept.join(', ')}`
    return lines.map((each, at) => (at === index ? { ...line, text } : each))
  }
  const [removable, needed] = parted(options.split(', '))
  await withFewer(removable, (kept) => accept(withOptions([...needed, ...kept])))
}
