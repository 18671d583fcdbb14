import pc from 'picocolors'
import type { LiveReplayReport } from '../replay/live-replay.js'
import { printable } from '../terminal.js'
import { grouped, units } from './figures.js'
import { share } from './replay-table.js'
import { wholeSparkline } from './sparkline.js'

const SPARK_WIDTH = 60
/** Later than this, the requests did not come as they were recorded. */
const LATE_MILLISECONDS = 1_000

/** What came of the requests that were sent to an endpoint. */
export function liveReplayText(report: LiveReplayReport): string {
  const { endpoint, rate, requests, seconds, accepted, throttled, errors, latency, perSecond } = report
  const pace = rate === 1 ? '' : `, ${rate} times as dense`
  const most = Math.max(1, ...perSecond.offered)
  const failed = Object.entries(errors).map(([name, count]) => `${grouped(count)} ${printable(name)}`)
  const leftOut = Object.entries(report.leftOut).map(
    ([name, count]) => `${grouped(count)} ${printable(name)}`,
  )
  return [
    `Sent ${grouped(requests)} requests to ${printable(endpoint)} in ${seconds.toFixed(1)} s${pace}`,
    `accepted   ${grouped(accepted)}`,
    `throttled  ${grouped(throttled)} (${share(throttled, requests)})`,
    ...(failed.length === 0 ? [] : [`errors     ${failed.join(', ')}`]),
    `latency    ${units(latency.p50)} ms at the median, ${units(latency.p99)} ms at the 99th percentile, ${units(latency.max)} ms at most`,
    `units      ${units(report.units.write)} written, ${units(report.units.read)} read`,
    `offered/s   ${wholeSparkline(perSecond.offered, SPARK_WIDTH, most)}`,
    `throttled/s ${wholeSparkline(perSecond.throttled, SPARK_WIDTH, most)}`,
    ...(report.endedEarly ? [pc.yellow('Ended early: the rest of the trace was not sent.')] : []),
    ...(leftOut.length === 0 ? [] : [pc.yellow(`Not sent: ${leftOut.join(', ')}.`)]),
    ...(report.latest <= LATE_MILLISECONDS
      ? []
      : [
          pc.yellow(
            `Requests were up to ${(report.latest / 1_000).toFixed(1)} s late: this machine or the endpoint is too slow for the load, and the figures are too low.`,
          ),
        ]),
  ].join('\n')
}
