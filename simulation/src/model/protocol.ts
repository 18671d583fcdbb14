/**
 * The rules of the protocol that can be left out, one at a time, to see that the checker notices.
 * Each is a rule of packages/isotherm/src/protocol/README.md.
 */
export interface Protocol {
  /** Items begin to move, and creations become plain, only when no process goes by the phase before the last any more. */
  readonly waitsForProcesses: boolean
  /** The same for requests that are on their way: each is carried out or refused before. */
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
  /** The pass that proves the source empty begins only when nobody creates items there any more. */
  readonly provesAfterMoved: boolean
  /** A creation is plain only when nobody creates items at the source any more. */
  readonly createsPlainlyAfterMoved: boolean
  /** Writers move what they find only when every process looks at both places. */
  readonly writersMoveAfterAnnounced: boolean
  /** The change settles after a pass has found nothing at the source. */
  readonly verifiesEmpty: boolean
  /** In the middle phase items are looked for at both places. */
  readonly looksAtBothPlaces: boolean
  /** A batch, which has no conditions, writes items that have one place only. */
  readonly batchesItemsOfOnePlace: boolean
  /** Items are created at the new place only after every process looks there. */
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
  provesAfterMoved: true,
  createsPlainlyAfterMoved: true,
  writersMoveAfterAnnounced: true,
  verifiesEmpty: true,
  looksAtBothPlaces: true,
  batchesItemsOfOnePlace: true,
  announces: true,
}
