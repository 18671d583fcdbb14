/**
 * The rules of the card of a table that can be left out, one at a time, to see that the checker notices.
 * Each is a rule of docs/decisions/019-the-table-card.md.
 */
export interface CardRules {
  /** A key has an item before it is listed. */
  readonly createsItemFirst: boolean
  /** A key is listed after its state was read, and before a change of it is written. */
  readonly listsFirst: boolean
  /** A change is written on the condition that the state is the one that was read. */
  readonly locksState: boolean
  /** A process without an entry goes by the initial count only as long as its card is valid. */
  readonly cardsExpire: boolean
  /** A card is valid from when it was asked for, and not from its answer. */
  readonly countsFromRequest: boolean
  /** A phase lasts until every card is over that was asked for before it. */
  readonly waitsForCards: boolean
  /** A key comes off the card on the condition that the card has not changed. */
  readonly unlistsByVersion: boolean
  /** The version for that is read before the end of the change is written. */
  readonly readsVersionFirst: boolean
  /** A key without an item is held against the card that was known when its item was asked for. */
  readonly comparesWithEarlierCard: boolean
}

/** The card as it is. */
export const CARD_RULES: CardRules = {
  createsItemFirst: true,
  listsFirst: true,
  locksState: true,
  cardsExpire: true,
  countsFromRequest: true,
  waitsForCards: true,
  unlistsByVersion: true,
  readsVersionFirst: true,
  comparesWithEarlierCard: true,
}
