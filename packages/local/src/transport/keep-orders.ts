import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

type Stack = DynamoDBClient['middlewareStack']
type Resolve = Stack['resolve']
type Handler = Parameters<Resolve>[0]
type Context = Parameters<Resolve>[1]
type Resolved = (from: Stack, handler: Handler, context: Context) => Handler
type Middleware = (next: Handler, context: Context) => Handler

/** A middleware, and how it was added to its stack. */
interface Member {
  readonly middleware: Middleware
  readonly isRelative: boolean
  readonly options: Place
}

/** What decides where a middleware comes among others. */
interface Place {
  readonly name?: string
  readonly step?: string
  readonly priority?: string
  readonly relation?: string
  readonly toMiddleware?: string
  readonly override?: boolean
  readonly aliases?: readonly string[]
}

/** The members of a command's stack that was sent once, and all middleware in the order in which it was applied then. */
interface KnownOrder {
  readonly ofCommand: readonly Member[]
  /** A number is that of a member of the command. */
  readonly order: readonly (Middleware | number)[]
}

/** The methods that change the middleware of a stack. `use` adds by the others. */
const CHANGES = ['add', 'addRelativeTo', 'remove', 'removeByTag'] as const
const OTHERS = [
  ...CHANGES,
  'use',
  'identifyOnResolve',
  'clone',
  'concat',
  'applyToStack',
  'identify',
] as const

/**
 * Remembers in which order the middleware of a client and of its commands is applied. The SDK copies and sorts it for each request, which took more
 * than half of the processor time of a put or get in this process.
 *
 * The SDK's own `cacheMiddleware` ignores middleware that is added later, or to one command. Here each request has what its client and its command
 * have then. Only the order is kept, of commands whose middleware is placed alike.
 *
 * @param stack of a client
 * @param last what `concat` of this stack adds behind the middleware of the command
 * @param emptyStack makes a stack of the SDK without middleware
 */
export function keepOrders(stack: Stack, last: Member, emptyStack: () => Stack): void {
  const { concat } = stack
  const known = new Map<string, KnownOrder>()
  let ofClient: readonly Member[] | undefined
  for (const name of CHANGES) {
    const change = stack[name] as (...args: unknown[]) => unknown
    const changed = (...args: unknown[]) => {
      ofClient = undefined
      known.clear()
      return change(...args)
    }
    Object.assign(stack, { [name]: changed })
  }
  const resolved = (from: Stack, handler: Handler, context: Context): Handler => {
    ofClient ??= membersOf(stack)
    const ofCommand = membersOf(from)
    const name = String(context.commandName)
    let found = known.get(name)
    if (found === undefined || !arePlacedAlike(found.ofCommand, ofCommand)) {
      found = { ofCommand, order: orderOf(ofClient, ofCommand, last, emptyStack(), handler, context) }
      known.set(name, found)
    }
    let next = handler
    for (const each of found.order) {
      next = (typeof each === 'number' ? (ofCommand[each] as Member).middleware : each)(next, context)
    }
    return next
  }
  stack.concat = ((from: Stack) => new CopiedStack(concat, from, stack, resolved)) as never
}

/** A command only resolves what `concat` returns. Anything else is done by the stack that the SDK would have made. */
class CopiedStack {
  readonly #concat: Stack['concat']
  readonly #from: Stack
  readonly #stack: Stack
  readonly #resolved: Resolved
  #whole: Stack | undefined

  constructor(concat: Stack['concat'], from: Stack, stack: Stack, resolved: Resolved) {
    this.#concat = concat
    this.#from = from
    this.#stack = stack
    this.#resolved = resolved
  }

  get whole(): Stack {
    this.#whole ??= this.#concat(this.#from) as Stack
    return this.#whole
  }

  resolve(handler: Handler, context: Context): Handler {
    if (this.#whole !== undefined || isTold(this.#stack, this.#from))
      return this.whole.resolve(handler, context) as Handler
    return this.#resolved(this.#from, handler, context)
  }
}
for (const name of OTHERS) {
  Object.defineProperty(CopiedStack.prototype, name, {
    value(this: CopiedStack, ...args: unknown[]) {
      return (this.whole[name] as (...args: unknown[]) => unknown)(...args)
    },
  })
}

/** Whether the SDK prints the order of each request. */
function isTold(...stacks: readonly Stack[]): boolean {
  return stacks.some((stack) => stack.identifyOnResolve?.() === true)
}

let collected: Member[] = []
/** It is asked for members of each request, so it is made once. */
const COLLECTOR = {
  add: (middleware: Middleware, options: Place) => {
    collected.push({ middleware, isRelative: false, options })
  },
  addRelativeTo: (middleware: Middleware, options: Place) => {
    collected.push({ middleware, isRelative: true, options })
  },
  identifyOnResolve: () => false,
} as unknown as Stack

function membersOf(stack: Stack): readonly Member[] {
  collected = []
  stack.applyToStack(COLLECTOR)
  return collected
}

function arePlacedAlike(some: readonly Member[], others: readonly Member[]): boolean {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) {
    if (!isPlacedLike(some[at] as Member, others[at] as Member)) return false
  }
  return true
}

function isPlacedLike(
  { isRelative, options: one }: Member,
  { isRelative: isSo, options: other }: Member,
): boolean {
  return (
    isRelative === isSo &&
    one.name === other.name &&
    one.step === other.step &&
    one.priority === other.priority &&
    one.relation === other.relation &&
    one.toMiddleware === other.toMiddleware &&
    one.override === other.override &&
    one.aliases === other.aliases
  )
}

/** The middleware as the SDK applies it: what runs last comes first. Some may be replaced by others. */
function orderOf(
  ofClient: readonly Member[],
  ofCommand: readonly Member[],
  last: Member,
  stack: Stack,
  handler: Handler,
  context: Context,
): readonly (Middleware | number)[] {
  const order: (Middleware | number)[] = []
  const place = ({ isRelative, options }: Member, as: Middleware | number) => {
    const noted: Middleware = (next) => {
      order.push(as)
      return next
    }
    const placed = { ...options, middleware: noted }
    if (isRelative) stack.addRelativeTo(noted as never, placed as never)
    else stack.add(noted as never, placed as never)
  }
  for (const member of ofClient) place(member, member.middleware)
  for (const [at, member] of ofCommand.entries()) place(member, at)
  place(last, last.middleware)
  stack.resolve(handler, context)
  return order
}
