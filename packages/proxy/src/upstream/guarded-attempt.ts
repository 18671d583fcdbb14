/** Arguments of the SDK's middleware for one attempt. */
export interface AttemptArgs {
  readonly input: object
  readonly request: unknown
}

/** Sends one attempt. */
export type Attempt<Answer> = (args: AttemptArgs) => Promise<Answer>

type Middleware<Answer> = (next: Attempt<Answer>, context: object) => Attempt<Answer>

interface Placed<Answer> {
  readonly middleware: Middleware<Answer>
  readonly options: { readonly step?: string; readonly priority?: string }
}

/** A command of the SDK, with the middleware that was added to it. */
export interface CommandWithMiddleware {
  readonly middlewareStack: { applyToStack(stack: never): void }
}

/**
 * Puts the middleware of a command around an attempt, without the SDK's stack.
 * @returns `undefined` if it has middleware for anything else, which needs the stack
 */
export function guardedAttempt<Answer>(
  { middlewareStack }: CommandWithMiddleware,
  attempt: Attempt<Answer>,
  context: object,
): Attempt<Answer> | undefined {
  const found: Placed<Answer>[] = []
  const add = (middleware: Middleware<Answer>, options: Placed<Answer>['options']) =>
    found.push({ middleware, options })
  middlewareStack.applyToStack({ add, addRelativeTo: add, identifyOnResolve: () => false } as never)
  // The SDK runs them in the order in which they were added.
  let guarded = attempt
  for (const { middleware, options } of found.toReversed()) {
    if (options.step !== 'finalizeRequest' || options.priority !== 'low') return undefined
    guarded = middleware(guarded, context)
  }
  return guarded
}
