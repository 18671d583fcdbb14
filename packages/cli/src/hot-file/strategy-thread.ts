import type { Rehearsal, RehearseStrategy } from '@isotherm/scenarios'
import { runInThread } from '../scenarios/run-in-thread.js'
import type { StrategyMessage } from './strategy-message.js'

/** The compiled file, also when this one is run from its source: a thread cannot load a source. */
const ENTRY = new URL('../../dist/hot-file/strategy-worker.js', import.meta.url)

/** Rehearses each strategy in another thread, so that the strategies use as many cores as there are. */
export const rehearseInStrategyThread: RehearseStrategy = (settings, { onProgress, signal }) =>
  runInThread<StrategyMessage, Rehearsal>(ENTRY, {
    data: settings,
    signal,
    onMessage: (message, resolve) => {
      if (message.type === 'progress') onProgress?.(message.progress)
      else resolve(message.rehearsal)
    },
  })
