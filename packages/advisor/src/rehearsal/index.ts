export { type Rehearsal, type RehearsalOptions, type RehearsedRun, rehearsePlan } from './rehearse-plan.js'
