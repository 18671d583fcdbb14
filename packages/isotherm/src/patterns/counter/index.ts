export type { PatternClient } from '../sending/pattern-client.js'
export { type Counted, type Counter, type CountOptions, counter, type RollUpOptions } from './counter.js'
export type { CounterOptions } from './counter-options.js'
export type { CounterEstimate } from './estimate-counter.js'
