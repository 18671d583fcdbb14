import { onNextTurn } from '@isotherm/runtime'
import type { Library } from '../world/library.js'
import { type Actor, type Begun, currentStep } from './actor.js'
import { errorText, storedText } from './answers.js'
import type { Command } from './commands.js'
import { pathOf } from './paths.js'
import { fits } from './pattern.js'
import type { Script, ServiceAction, Statement } from './script.js'
import { ScriptError } from './script-error.js'
import { ScriptWorld } from './script-world.js'
import { sendCommand, useShards } from './send-command.js'

type Step = Extract<Statement, { kind: 'step' }>
type Request = Pick<Command, 'operation' | 'input'>

/**
 * Runs one test of a script.
 * @throws ScriptError at the first line that does not hold
 */
export async function runScript(library: Library, script: Script): Promise<void> {
  const run = new ScriptRun(library, script)
  const onUnhandled = (error: unknown) => run.guard(error)
  process.on('unhandledRejection', onUnhandled)
  try {
    await run.play()
  } finally {
    await run.close()
    process.off('unhandledRejection', onUnhandled)
  }
}

class ScriptRun {
  readonly #script: Script
  readonly #world: ScriptWorld
  readonly #begun: Begun[] = []
  readonly #labels = new Map<string, Begun>()
  #line = 1

  constructor(library: Library, script: Script) {
    this.#script = script
    this.#world = this.#here(() => new ScriptWorld(library, script))
  }

  guard(error: unknown): void {
    this.#world.stage.guard(error)
  }

  async play(): Promise<void> {
    await this.#world.prepare()
    for (const statement of this.#script.statements) {
      this.#line = statement.line
      if (statement.at !== undefined) await this.#world.stage.runTo(statement.at)
      this.#requireNoFailure()
      try {
        await this.#perform(statement)
      } catch (error) {
        throw error instanceof Error ? this.#error(error.message, error) : error
      }
      this.#requireNoFailure()
    }
    await this.#conclude()
  }

  close(): Promise<void> {
    return this.#world.close()
  }

  async #perform(statement: Statement): Promise<void> {
    const { stage } = this.#world
    switch (statement.kind) {
      case 'process':
        for (const name of statement.names) this.#world.spawn(name, statement.options)
        return
      case 'service':
        return this.#toService(statement.action)
      case 'wait':
        if (statement.milliseconds > 0) await stage.runTo(stage.elapsed + statement.milliseconds)
        return
      case 'step':
        return this.#step(statement)
      case 'expect': {
        await new Promise<void>(onNextTurn)
        const seen = await this.#look(statement.subject)
        if (fits(statement.text, seen)) return
        throw new Error(`expected ${statement.text}, and it is ${seen}`)
      }
    }
  }

  async #step(step: Step): Promise<void> {
    const { action, line } = step
    const actor = this.#world.actor(step.process)
    switch (action.kind) {
      case 'rule':
        actor.rules.push(this.#world.addRule(line, action.rule))
        return
      case 'pause':
        return actor.process.pause(action.milliseconds)
      case 'jump':
        return actor.process.clock.jump(action.milliseconds)
      case 'crash':
        return this.#world.crash(actor)
      case 'end':
        return actor.db.destroy()
      case 'release':
        this.#world.release(actor, action.name)
        return actor.last === undefined ? undefined : this.#untilAnswered(actor.last)
      default:
        return this.#begin(step, actor)
    }
  }

  async #begin({ line, action, rules, begins, label }: Step, actor: Actor): Promise<void> {
    const begun: Begun = {
      line,
      actor,
      rules: rules.map((each) => this.#world.addRule(each.line, each.rule)),
      requests: [],
      answer: undefined,
      isFailed: false,
      isExpected: begins,
    }
    actor.last = begun
    this.#begun.push(begun)
    if (label !== undefined) this.#labels.set(label, begun)
    const { always } = this.#world
    const work = async () => {
      if (action.kind === 'shards') return useShards(actor, action, always)
      if (action.kind === 'command') return sendCommand(actor, action.command, this.#script, always)
      throw new Error(`${action.kind} has no answer`)
    }
    currentStep.run(begun, work).then(
      (answer) => this.#answered(begun, answer, false),
      (error: unknown) => this.#answered(begun, errorText(error), true),
    )
    if (!begins) await this.#untilAnswered(begun)
  }

  #answered(begun: Begun, answer: string, isFailed: boolean): void {
    begun.answer = answer
    begun.isFailed = isFailed
    this.#world.stage.wake()
  }

  /** Or until its process stands still. */
  async #untilAnswered(begun: Begun): Promise<void> {
    if (await this.#world.untilOver(begun, () => this.#world.standsStill(begun.actor))) return
    throw this.#error('the step has no answer after an hour', undefined, begun.line)
  }

  async #toService(action: ServiceAction): Promise<void> {
    for (const { operation, input } of await this.#requestsOf(action)) {
      await this.#world.stage.execute(operation, input).catch((error: unknown) => {
        throw new Error(`the service answers with ${errorText(error)}`, { cause: error })
      })
      if (action.kind === 'command') this.#world.always.stored(operation, input)
    }
  }

  async #requestsOf(action: ServiceAction): Promise<readonly Request[]> {
    switch (action.kind) {
      case 'command':
        return [action.command]
      case 'set': {
        const TableName = `${action.table.name}_shard_map`
        const input = { TableName, Item: action.item }
        return [
          ...(await this.#listing(TableName, action.table.partitionKey, action.item)),
          { operation: 'PutItem', input },
        ]
      }
      case 'move': {
        const { name: TableName, partitionKey, sortKey } = action.path.table
        const [item] = await this.#world.copiesOf(action.path)
        if (item === undefined) throw new Error('there is no such item')
        const Key = { [partitionKey]: item[partitionKey], [sortKey]: item[sortKey] }
        const Item = { ...item, [partitionKey]: { S: action.to } }
        return [
          { operation: 'DeleteItem', input: { TableName, Key } },
          { operation: 'PutItem', input: { TableName, Item } },
        ]
      }
    }
  }

  /** Another process would list the key first. Without a card, the first process makes one that lists all keys. */
  async #listing(TableName: string, partitionKey: string, item: object): Promise<readonly Request[]> {
    const Key = { [partitionKey]: { S: 'isotherm:card' } }
    const { Item: card } = await this.#world.stage.execute('GetItem', {
      TableName,
      Key,
      ConsistentRead: true,
    })
    if (card === undefined || 'lists_all' in Object(card)) return []
    const listed = (item as Record<string, { readonly S: string }>)[partitionKey]?.S
    const update = {
      UpdateExpression: 'ADD listed_keys :keys, version :one',
      ExpressionAttributeValues: { ':keys': { SS: [listed] }, ':one': { N: '1' } },
    }
    return [{ operation: 'UpdateItem', input: { TableName, Key, ...update } }]
  }

  async #look([first, second]: readonly string[]): Promise<string> {
    switch (first) {
      case 'stored':
        return this.#stored(second)
      case 'events':
        return this.#world.actor(second ?? '').events.join(', ') || 'nothing'
      case 'requests':
        return this.#begunBy(second).requests.join(', ') || 'nothing'
      default: {
        const begun = this.#begunBy(first)
        begun.isExpected = true
        return begun.answer ?? 'no answer yet'
      }
    }
  }

  /** @param name a label, or a process whose last step is meant */
  #begunBy(name: string | undefined): Begun {
    const begun =
      name === undefined ? this.#begun.at(-1) : (this.#labels.get(name) ?? this.#world.actor(name).last)
    if (begun === undefined) throw new Error('there is no step before whose answer could be expected')
    return begun
  }

  /** @param what a table, or an item by its own key */
  async #stored(what: string | undefined): Promise<string> {
    const { tables } = this.#script
    if (what?.includes('/') === true) {
      const path = pathOf(what, tables)
      return storedText(path.table, await this.#world.copiesOf(path), tables)
    }
    const table = what === undefined ? [...tables.values()][0] : tables.get(what)
    if (table === undefined) throw new Error(`there is no table ${what}`)
    return storedText(table, await this.#world.itemsOf(table), tables)
  }

  /** Everything that was begun has ended, and everything that the script has asked for has come about. */
  async #conclude(): Promise<void> {
    for (const begun of this.#begun) {
      const { line, actor, answer } = begun
      this.#line = line
      if (answer === undefined && this.#world.standsStill(actor)) {
        throw this.#error('the step stands still at the end; release its request')
      }
      if (!(await this.#world.untilOver(begun))) throw this.#error('the step has no answer after an hour')
      this.#requireNoFailure()
    }
    const failed = this.#begun.find(({ isFailed, isExpected }) => isFailed && !isExpected)
    if (failed !== undefined) {
      const reason = `the step ended with ${failed.answer}; write "expect: ${failed.answer}" behind it if it should`
      throw this.#error(reason, undefined, failed.line)
    }
    await this.#world.conclude()
    this.#requireNoFailure()
    const unmet = this.#world.unmetRule
    if (unmet !== undefined)
      throw this.#error('no request came that the rule is about', undefined, unmet.line)
  }

  #requireNoFailure(): void {
    const { failure } = this.#world.stage
    if (failure !== undefined)
      throw failure instanceof Error ? this.#error(failure.message, failure) : failure
  }

  #here<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw error instanceof Error ? this.#error(error.message, error) : error
    }
  }

  #error(reason: string, cause?: unknown, line = this.#line): ScriptError {
    if (cause instanceof ScriptError) return cause
    return new ScriptError({ file: this.#script.file, line }, reason, { cause })
  }
}
