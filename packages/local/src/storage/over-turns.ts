import { onNextTurns } from '@isotherm/runtime'

/** Makes one step in each turn of the event loop, so that other requests are served between two steps. */
export function overTurns<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    onNextTurns(1, () => {
      try {
        const { done, value } = steps.next()
        if (done !== true) return true
        resolve(value)
      } catch (error) {
        reject(error)
      }
      return false
    })
  })
}
