import { namedIn } from './named-in.js'

/** A request in few words, such as `Query k_4 consistent`. */
export function requestText(operation: string, input: object): string {
  const stored = [...namedIn(operation, input)].filter((name) => /_\d+(\/.*)?$/.test(name))
  const items = stored.filter((name) => name.includes('/'))
  const { ConsistentRead } = input as { readonly ConsistentRead?: boolean }
  const named = operation === 'Query' ? stored.filter((name) => !name.includes('/')) : items
  return [operation, ...named, ...(ConsistentRead === true ? ['consistent'] : [])].join(' ')
}
