import { type BatchParts, batchParts, unprocessedPart } from '../world/batch-parts.js'
import type { Answer } from '../world/engine-lane.js'
import type { Attempt, Fate, Journey, Journeys } from '../world/journey.js'
import type { Network } from '../world/network.js'
import type { Process } from '../world/process.js'
import { isThrottle } from '../world/throttle.js'
import { namedIn } from './named-in.js'
import type { RequestRule } from './request-rule.js'

/** A rule of a script, and what has come of it. */
export class ActiveRule {
  readonly line: number
  readonly rule: RequestRule
  #seen = 0

  constructor(line: number, rule: RequestRule) {
    this.line = line
    this.rule = rule
  }

  /** Whether it has met its request, or need not: `every` request may be none, and so may one until a time. */
  get isDone(): boolean {
    const { nth, until } = this.rule
    return nth === 'every' || until !== undefined || this.#seen >= nth
  }

  /** Whether it is about this request. A rule for the second one counts the first. */
  applies(operation: string, names: ReadonlySet<string>): boolean {
    const { rule } = this
    if (rule.operation !== undefined && rule.operation !== operation) return false
    const isNamed = (word: string) => names.has(word)
    if (!(rule.isOfPart ? rule.words.some(isNamed) : rule.words.every(isNamed))) return false
    this.#seen += 1
    return rule.nth === 'every' || this.#seen === rule.nth
  }
}

/** A request or a response that is held until the script releases it. */
export interface Held {
  readonly line: number
  readonly rule: RequestRule
  readonly process: Process
  readonly release: () => void
}

export interface ScriptedNetworkOptions {
  readonly defaults: ScriptedJourneys
  /** The rules for a request of a process, the first ones first. */
  readonly rulesOf: (process: Process) => readonly ActiveRule[]
  readonly onSent: (operation: string, input: object) => void
  readonly onHeld: (held: Held) => void
  readonly onCrash: (process: Process) => void
}

/** The network of a script: requests arrive in their order, except those that the script holds, loses or delays. */
export class ScriptedNetwork {
  readonly #network: Network
  readonly #options: ScriptedNetworkOptions

  constructor(network: Network, options: ScriptedNetworkOptions) {
    this.#network = network
    this.#options = options
  }

  /**
   * Before the client of a process sends a command: where a rule holds it, the process stands still there. Its client looks at the
   * age of what it knows afterwards, as after any other pause.
   */
  async beforeSending(process: Process, operation: string, input: object): Promise<void> {
    const [active] = this.#applying(process, operation, input, standsBefore)
    if (active !== undefined) await this.#held(active, process)
  }

  /** One attempt of a client. */
  send(process: Process, operation: string, input: object): Promise<Answer> {
    this.#options.onSent(operation, input)
    const applying = this.#applying(process, operation, input, (rule) => !standsBefore(rule))
    const ofParts = applying.filter(({ rule }) => rule.isOfPart)
    const batch = ofParts.length === 0 ? undefined : batchParts(operation, input)
    if (batch !== undefined) return this.#sendParts(process, operation, batch, applying)
    return this.#sendBy(applying, process, operation, input)
  }

  #applying(
    process: Process,
    operation: string,
    input: object,
    isConcerned: (rule: RequestRule) => boolean,
  ): readonly ActiveRule[] {
    const names = namedIn(operation, input)
    const concerned = this.#options.rulesOf(process).filter(({ rule }) => isConcerned(rule))
    return concerned.filter((active) => active.applies(operation, names))
  }

  async #sendParts(
    process: Process,
    operation: string,
    batch: BatchParts,
    rules: readonly ActiveRule[],
  ): Promise<Answer> {
    let throttle: unknown
    const outputs = await Promise.all(
      batch.parts.map(async (part) => {
        const names = namedIn(operation, part)
        const own = rules.filter(({ rule }) => !rule.isOfPart || rule.words.some((word) => names.has(word)))
        try {
          return (await this.#sendBy(own, process, operation, part)).output
        } catch (error) {
          if (!isThrottle(error)) throw error
          throttle = error
          return undefined
        }
      }),
    )
    if (outputs.every((output) => output === undefined)) throw throttle
    return {
      output: batch.join(
        outputs.map((output, at) => output ?? unprocessedPart(operation, batch.parts[at] ?? {})),
      ),
    }
  }

  async #sendBy(
    rules: readonly ActiveRule[],
    process: Process,
    operation: string,
    input: object,
  ): Promise<Answer> {
    const { defaults, onCrash } = this.#options
    const held = rules.filter(({ rule }) => rule.verb === 'hold')
    const crash = rules.find(({ rule }) => rule.verb === 'crash')
    const before = held.find(({ rule }) => !rule.ofAnswer)
    if (before !== undefined) await this.#held(before, process)
    if (crash !== undefined && !crash.rule.ofAnswer) {
      onCrash(process)
      return new Promise(() => {})
    }
    defaults.next = defaults.by(rules.map(({ rule }) => rule))
    const answer = await this.#network.send(process, operation, input)
    if (crash !== undefined) {
      onCrash(process)
      return new Promise(() => {})
    }
    const after = held.find(({ rule }) => rule.ofAnswer)
    if (after !== undefined) {
      await this.#held(after, process)
      await new Promise<void>((resolve) => process.deliver(resolve))
    }
    return answer
  }

  #held({ line, rule }: ActiveRule, process: Process): Promise<void> {
    return new Promise((release) => {
      this.#options.onHeld({ line, rule, process, release })
    })
  }
}

/** Whether the process itself stands still, and not a part of its request. */
function standsBefore({ verb, ofAnswer, isOfPart }: RequestRule): boolean {
  return verb === 'hold' && !ofAnswer && !isOfPart
}

/** Every journey takes the same time, except the next one where a rule says otherwise. */
export class ScriptedJourneys implements Journeys {
  readonly #delayMilliseconds: number
  readonly #timeoutMilliseconds: number
  next: Journey | undefined

  constructor({
    delayMilliseconds,
    timeoutMilliseconds,
  }: { readonly delayMilliseconds: number; readonly timeoutMilliseconds: number }) {
    this.#delayMilliseconds = delayMilliseconds
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  begin(_attempt: Attempt): Journey {
    const journey = this.next ?? this.#journey('arrives', 0, 0)
    this.next = undefined
    return journey
  }

  /** The journey of a request that rules are about. */
  by(rules: readonly RequestRule[]): Journey {
    const sum = (ofAnswer: boolean) =>
      rules.reduce((total, rule) => total + (rule.ofAnswer === ofAnswer ? rule.milliseconds : 0), 0)
    const fate = rules.map(fateOf).find((each) => each !== 'arrives') ?? 'arrives'
    return this.#journey(fate, sum(false), sum(true))
  }

  #journey(fate: Fate, longer: number, answerLonger: number): Journey {
    return {
      fate,
      timeoutMilliseconds: this.#timeoutMilliseconds,
      isSpread: false,
      delayMilliseconds: () => this.#delayMilliseconds + longer,
      answerMilliseconds: () => this.#delayMilliseconds + answerLonger,
      partMilliseconds: () => 0,
    }
  }
}

function fateOf({ verb, ofAnswer, error }: RequestRule): Fate {
  switch (verb) {
    case 'lose':
      return ofAnswer ? 'reply lost' : 'request lost'
    case 'throttle':
      return 'throttled'
    case 'fail':
      if (error === 'TransactionConflictException') return 'conflict'
      return ofAnswer ? '500 after' : '500 before'
    default:
      return 'arrives'
  }
}
