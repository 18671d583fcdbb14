import { onNextTurn } from '../timers/next-turn.js'
import type { Awaitable } from './storage.js'

/** Makes the first step now, and each further one, if there are any, in a separate turn of the event loop. */
export function nowAndOverTurns<Result>(steps: Iterator<undefined, Result>): Awaitable<Result> {
  const first = steps.next()
  return first.done === true ? first.value : overTurns(steps)
}

/** Makes one step in each turn of the event loop, so that other requests are served between two steps. */
export function overTurns<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const turn = () => {
      try {
        const { done, value } = steps.next()
        if (done === true) resolve(value)
        else onNextTurn(turn)
      } catch (error) {
        reject(error)
      }
    }
    onNextTurn(turn)
  })
}
