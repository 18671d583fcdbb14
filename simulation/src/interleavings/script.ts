import type { Command, QueriedTable } from './commands.js'
import type { Path } from './paths.js'
import type { RequestRule } from './request-rule.js'
import type { Attributes } from './values.js'

/** Options of a line, such as `cacheTtl 2s`: each with the words behind its name. */
export type Options = ReadonlyMap<string, readonly string[]>

/** A table that is sharded in a script. */
export interface ScriptTable extends QueriedTable {
  readonly options: Options
  readonly indexes: readonly ScriptIndex[]
}

export interface ScriptIndex {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly shards: number
}

/** What a process does in one step. */
export type Action =
  | { readonly kind: 'command'; readonly command: Command }
  | {
      readonly kind: 'shards'
      readonly table: string
      readonly key: string
      readonly call: 'set' | 'drain' | 'resume' | 'shards'
      /** To set, one after the other. */
      readonly counts: readonly number[]
      readonly options: { readonly unitsPerSecond?: number; readonly twoCopies?: 'discard' }
    }
  | { readonly kind: 'rule'; readonly rule: RequestRule }
  | { readonly kind: 'release'; readonly name: string | undefined }
  | { readonly kind: 'pause' | 'jump'; readonly milliseconds: number }
  | { readonly kind: 'crash' | 'end' }

/** What a script does to the service itself. */
export type ServiceAction =
  | { readonly kind: 'command'; readonly command: Command }
  /** A state of a key in the shard map. */
  | { readonly kind: 'set'; readonly table: ScriptTable; readonly item: Attributes }
  /** An item is put into another shard, wherever it is. */
  | { readonly kind: 'move'; readonly path: Path; readonly to: string }

/** A rule in a line of its own, below a step: for the requests of that step. */
export interface StepRule {
  readonly line: number
  readonly rule: RequestRule
}

/** One line of a script. `at`: milliseconds since its beginning, where a time stands before it. */
export type Statement =
  | {
      readonly kind: 'process'
      readonly line: number
      readonly at: number | undefined
      readonly names: readonly string[]
      readonly options: Options
    }
  | {
      readonly kind: 'step'
      readonly line: number
      readonly at: number | undefined
      readonly process: string
      /** Whether the script continues at once, and does not wait for the answer. */
      readonly begins: boolean
      /** To look at its answer later. */
      readonly label: string | undefined
      readonly action: Action
      readonly rules: readonly StepRule[]
    }
  /** To the service itself, past the library and the network. */
  | {
      readonly kind: 'service'
      readonly line: number
      readonly at: number | undefined
      readonly action: ServiceAction
    }
  | {
      readonly kind: 'wait'
      readonly line: number
      readonly at: number | undefined
      readonly milliseconds: number
    }
  | {
      readonly kind: 'expect'
      readonly line: number
      readonly at: number | undefined
      /** What is looked at, such as `stored`; nothing for the answer of the step before. */
      readonly subject: readonly string[]
      readonly text: string
    }

/** One test of a script file. */
export interface Script {
  readonly file: string
  readonly title: string
  readonly tables: ReadonlyMap<string, ScriptTable>
  readonly settings: Options
  /** The rules that must hold all the time, with their lines. */
  readonly always: readonly { readonly line: number; readonly rule: string }[]
  readonly statements: readonly Statement[]
}
