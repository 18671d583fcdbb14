import { createHash } from 'node:crypto'
import { IsothermError } from '../../errors/isotherm-error.js'
import { isPosition, NEWEST, type Position } from './model/position.js'

/** What a cursor belongs to: a tenant, and what is listed or searched. */
export interface CursorOwner {
  readonly table: string
  readonly tenant: string
  readonly reading: readonly unknown[]
}

const VERSION = 1

/**
 * Writes a position as a text that is safe in URLs. It holds nothing else that is trusted: keys are built from the tenant of the call, so a forged
 * cursor begins at another place of the same tenant at most.
 */
export function toCursor(owner: CursorOwner, position: Position): string {
  return Buffer.from(JSON.stringify([VERSION, digest(owner), position])).toString('base64url')
}

/** @throws IsothermError `search.cursor` for a text that is not a cursor of this reading */
export function fromCursor(owner: CursorOwner, cursor: unknown): Position {
  if (cursor === undefined) return NEWEST
  const content = typeof cursor === 'string' && cursor.length <= MAX_LENGTH ? parsed(cursor) : undefined
  const [version, own, position]: readonly unknown[] = Array.isArray(content) ? content : []
  if (version === VERSION && own === digest(owner) && isPosition(position)) return position
  throw new IsothermError(
    'search.cursor',
    `The cursor ${JSON.stringify(cursor)?.slice(0, 100)} is not one that this list or search of ${owner.tenant} in ${owner.table} has returned. Pass back the cursor of the page before, with the same query and options.`,
    { table: owner.table, tenant: owner.tenant, cursor },
  )
}

const MAX_LENGTH = 1_000

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Tells readings apart that an application confuses by mistake. */
function digest({ tenant, reading }: CursorOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, reading]))
    .digest('base64url')
    .slice(0, 12)
}
