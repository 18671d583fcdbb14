// Apart from the main entry, because it loads the client of CloudWatch.
export type { HotKey, HotReport } from '../insights/hot-report.js'
export { type InsightQuery, insightReport } from '../insights/insight-report.js'
export { type InsightRules, type InsightTarget, insightRules } from '../insights/insight-rules.js'
export { SourceError } from '../source/source-error.js'
export { apiGuard } from './api-guard.js'
export { remoteFailure } from './remote-failure.js'
export { type RemoteSourceOptions, remoteSource } from './remote-source.js'
