import { malformedHttpRequest } from '../errors/service-error.js'

/** Far more than any request needs. Every parameter costs a walk down its name. */
const MAX_PARAMETERS = 20_000
const MAX_DEPTH = 10
/** The maximum length of a list, whose members are numbered by the client. */
const MAX_LIST = 10_000

type Node = Map<string, Node | string>

/**
 * Parses the body of a request in the AWS query protocol: a form whose names are paths, such as
 * `Dimensions.member.1.Name`. Source: https://smithy.io/2.0/aws/protocols/aws-query-protocol.html
 *
 * @throws ServiceError for a form that is not a structure.
 */
export function parseFormBody(body: Buffer): { readonly [member: string]: unknown } {
  const root: Node = new Map()
  let count = 0
  for (const [path, value] of new URLSearchParams(body.toString('utf8'))) {
    if (++count > MAX_PARAMETERS) throw malformed()
    place(root, path.split('.'), value)
  }
  return structureOf(root)
}

function place(root: Node, path: readonly string[], value: string): void {
  const last = path.at(-1)
  if (path.length > MAX_DEPTH || last === undefined) throw malformed()
  let node = root
  for (const step of path.slice(0, -1)) {
    const next = node.get(step) ?? new Map<string, Node | string>()
    if (typeof next === 'string') throw malformed()
    node.set(step, next)
    node = next
  }
  node.set(last, value)
}

function decodeNode(node: Node | string): unknown {
  if (typeof node === 'string') return node
  const members = node.get('member')
  if (members === undefined || typeof members === 'string') return structureOf(node)
  const numbered = [...members].map(([number, value]) => [Number(number), decodeNode(value)] as const)
  if (numbered.some(([number]) => !Number.isInteger(number) || number < 1 || number > MAX_LIST))
    throw malformed()
  return numbered.sort(([a], [b]) => a - b).map(([, value]) => value)
}

function structureOf(node: Node): { readonly [member: string]: unknown } {
  // A member may have a name such as `__proto__`. `fromEntries` sets it as an ordinary member.
  return Object.fromEntries([...node].map(([name, value]) => [name, decodeNode(value)]))
}

function malformed() {
  return malformedHttpRequest('The form is not a request of the AWS query protocol.')
}
