import type { Clock } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { requireItems, type Sample } from './require-items.js'
import type { DeclaredCounts, UnknownTable } from './unknown-table.js'

/** Each request of a process that is refused would read the sample again. It gets the same error instead, for this long. */
const REFUSED_MILLISECONDS = 30_000

/** The errors of an engine that lacks the request, and of a role that may not send it. */
const NOT_ALLOWED: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'UnrecognizedClientException',
  'UnknownOperationException',
  'ValidationException',
])

/**
 * The comparison of a table's items with the options, as one process runs it before it makes the card. Without the right to scan
 * the table, the options are believed.
 *
 * @param onUnchecked called if the table cannot be read
 * @param sample how many items are compared; without it, many
 * @returns a function that answers how many items were compared, and `undefined` if the table cannot be read
 * @throws IsothermError `items.elsewhere`; the SDK's errors
 */
export function itemsCheck(
  table: UnknownTable & { readonly clock: Clock },
  onUnchecked: (error: unknown) => void,
  sample?: Sample,
): (declared: DeclaredCounts) => Promise<number | undefined> {
  let refused: { readonly error: unknown; readonly until: number } | undefined
  return async (declared) => {
    if (refused !== undefined && table.clock.now() < refused.until) throw refused.error
    try {
      return await requireItems(table, declared, sample)
    } catch (error) {
      if (error instanceof IsothermError && error.code === 'items.elsewhere') {
        refused = { error, until: table.clock.now() + REFUSED_MILLISECONDS }
        throw error
      }
      if (!(error instanceof Error && NOT_ALLOWED.has(error.name))) throw error
      onUnchecked(error)
      return undefined
    }
  }
}
