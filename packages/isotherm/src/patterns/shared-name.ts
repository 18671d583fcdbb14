/** An option whose attribute has two meanings. */
interface SharedName {
  readonly option: string
  readonly name: string
  /** The option that has the name already; `undefined` for an attribute of the pattern itself. */
  readonly user: string | undefined
}

/**
 * The first option that names the attribute of another one, or of the pattern itself.
 *
 * @param names attributes by option; those without a name are left out
 * @param own the attributes of the pattern itself
 */
export function sharedName(
  names: Readonly<Record<string, string | undefined>>,
  own: readonly string[],
): SharedName | undefined {
  const users = new Map<string, string | undefined>(own.map((name) => [name, undefined]))
  for (const [option, name] of Object.entries(names)) {
    if (name === undefined) continue
    if (users.has(name)) return { option, name, user: users.get(name) }
    users.set(name, option)
  }
  return undefined
}
