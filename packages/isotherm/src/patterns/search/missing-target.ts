import { IsothermError } from '../../errors/isotherm-error.js'

/** The error for a link to a target that has no name. */
export function missingTarget(
  table: string,
  { tenant, kind, id }: { readonly tenant: string; readonly kind: string; readonly id: string },
): IsothermError<'search.missing'> {
  const call = `setTarget(${JSON.stringify(kind)}, ${JSON.stringify(id)}, name)`
  return new IsothermError(
    'search.missing',
    `${tenant} has no ${kind} ${id} in ${table}. Create it with ${call} before items are linked to it.`,
    { table, tenant, id },
  )
}
