import { allowManyListeners } from '@isotherm/runtime'

/** Ends work in the background. Each job listens to its signal. */
export function closingController(): AbortController {
  const closing = new AbortController()
  allowManyListeners(closing.signal)
  return closing
}
