/**
 * The rules of the protocol that can be left out, one at a time, to see that the checker notices.
 * Each is a rule of packages/isotherm/src/protocol/README.md.
 */
export interface Protocol {
  /** A change goes on only when no process goes by the phase before the last any more. */
  readonly waitsForProcesses: boolean
  /** A request is carried out or refused before the change is two phases on. */
  readonly boundsLateRequests: boolean
  /** A creation checks that nothing is at the other place. */
  readonly checksOtherPlace: boolean
  /** Writes are refused by a marked copy. */
  readonly respectsMarks: boolean
  /** A write to one of two places demands that the item is there. */
  readonly demandsPresence: boolean
  /** An item is missing only if nothing was at its source and then nothing at its target. */
  readonly looksAtSourceFirst: boolean
  /** A move marks the copy before it is carried over. */
  readonly marksBeforeMoving: boolean
  /** The pass over the source begins only when nobody creates items there any more. */
  readonly drainsAfterMoved: boolean
  /** The change settles after a pass has found nothing at the source. */
  readonly verifiesEmpty: boolean
  /** In the middle phase items are looked for at both places. */
  readonly looksAtBothPlaces: boolean
  /** Items are created at the new place only after everybody was told to look there. */
  readonly announces: boolean
}

/** The protocol as it is. */
export const PROTOCOL: Protocol = {
  waitsForProcesses: true,
  boundsLateRequests: true,
  checksOtherPlace: true,
  respectsMarks: true,
  demandsPresence: true,
  looksAtSourceFirst: true,
  marksBeforeMoving: true,
  drainsAfterMoved: true,
  verifiesEmpty: true,
  looksAtBothPlaces: true,
  announces: true,
}
