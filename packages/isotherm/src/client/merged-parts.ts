import type { PartName } from '../errors/isotherm-error.js'
import { missingPart } from '../errors/missing-part.js'
import { refuseCommand } from '../errors/refuse.js'
import type { CommandHandler, Part, PartCommands, PartMethods, PartOptions } from './part.js'

/** The part to suggest for a command that no given part handles. */
const PART_OF: Readonly<Record<string, PartName>> = {
  PutItem: 'items',
  GetItem: 'items',
  UpdateItem: 'items',
  DeleteItem: 'items',
  Query: 'queries',
  Scan: 'scans',
  BatchGetItem: 'batches',
  BatchWriteItem: 'batches',
  TransactGetItems: 'transactions',
  TransactWriteItems: 'transactions',
}

/** The parts of one client, combined. */
export interface MergedParts {
  readonly commands: PartCommands
  readonly options: PartOptions
  readonly methods: PartMethods
}

/** The order of the parts makes no difference. */
export function mergedParts(named: readonly Part[], options?: PartOptions): MergedParts {
  const parts = [...named.filter((part) => part.yields), ...named.filter((part) => !part.yields)]
  const merged = (kind: keyof MergedParts) => Object.assign({}, ...parts.map((part) => part[kind]))
  return {
    commands: merged('commands'),
    options: { ...merged('options'), ...options },
    methods: merged('methods'),
  }
}

/** @throws IsothermError `part.missing`; `command.unsupported` for a command that no part handles */
export function handlerOf({ commands }: MergedParts, operation: string, table: string): CommandHandler {
  const handler = commands[operation]
  if (handler !== undefined) return handler
  const part = PART_OF[operation]
  throw part === undefined ? refuseCommand(table, operation) : missingPart(part, operation, table)
}
