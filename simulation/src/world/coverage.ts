/** What takes its time: a run in which it does not come about under load says nothing of it. */
export type CoverageKind =
  | 'items begin to move'
  | 'creations become plain'
  | 'a change settles'
  | 'a drain ends'
  | 'a table is migrated'
  | 'a partition splits'
  | 'a pause outlasts a cache'

/** How often it came about while there was load. */
export type Coverage = Record<CoverageKind, number>

export function noCoverageYet(): Coverage {
  return {
    'items begin to move': 0,
    'creations become plain': 0,
    'a change settles': 0,
    'a drain ends': 0,
    'a table is migrated': 0,
    'a partition splits': 0,
    'a pause outlasts a cache': 0,
  }
}
