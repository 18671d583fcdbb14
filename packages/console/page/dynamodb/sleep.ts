import type { Sleep } from '../../src/items/patient-call'

/** Waits. It rejects when the signal is aborted. */
export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
