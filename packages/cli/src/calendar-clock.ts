import { SystemClock } from '@isotherm/runtime'

/** The time of the calendar, also after the machine slept: clients, items that expire and the figures of an endpoint go by that. */
export function calendarClock(): SystemClock {
  return new SystemClock({ noticesSuspension: true })
}
