import type { CardRules } from './card-rules.js'
import type { CardWorld, Reader } from './card-world.js'

/** A step that may happen next. */
export interface Step {
  readonly label: string
  readonly world: CardWorld
}

/** What the reader may do next, and what may happen to its requests. */
export function readerSteps(world: CardWorld, rules: CardRules): readonly Step[] {
  const { reader, stage } = world
  const { card, cardRead, itemRead } = reader
  const becomes = (label: string, part: Partial<Reader>): Step => ({
    label,
    world: { ...world, reader: { ...reader, ...part } },
  })
  const steps: Step[] = []
  if (cardRead === undefined) {
    steps.push(becomes('the reader asks for the card', { cardRead: { askedAt: stage, listed: undefined } }))
  } else if (cardRead.listed === undefined) {
    const read = { ...cardRead, listed: world.isListed }
    steps.push(becomes(`the card is read, and ${listedText(world.isListed)}`, { cardRead: read }))
  } else {
    const askedAt = rules.countsFromRequest ? cardRead.askedAt : stage
    const answered = { card: { askedAt, listed: cardRead.listed }, cardRead: undefined }
    steps.push(becomes('the reader has the card', answered))
  }
  if (itemRead === undefined) {
    const sent = { askedAt: stage, listedBefore: card?.listed, found: undefined }
    steps.push(becomes('the reader asks for the item of the key', { itemRead: sent }))
  } else if (itemRead.found === undefined) {
    const found = world.hasItem ? stage : 'missing'
    steps.push(becomes(`the item is read: ${found}`, { itemRead: { ...itemRead, found } }))
  } else if (itemRead.found === 'missing') {
    const listed = rules.comparesWithEarlierCard ? itemRead.listedBefore : card?.listed
    const misses = listed === true
    steps.push(becomes('the reader learns that there is no item', { itemRead: undefined, misses }))
  } else {
    const entry = { askedAt: itemRead.askedAt, stage: itemRead.found }
    steps.push(becomes('the reader has the item', { itemRead: undefined, entry }))
  }
  return steps
}

/** The reader when so much time has passed that everything is over that was asked for before the stage. */
export function expired(reader: Reader, stage: number, rules: CardRules): Reader {
  if (!rules.waitsForCards) return reader
  const isOver = (asked: { readonly askedAt: number } | undefined) =>
    asked !== undefined && asked.askedAt < stage
  const { card, cardRead, entry, itemRead } = reader
  return {
    ...reader,
    card: rules.cardsExpire && isOver(card) ? undefined : card,
    cardRead: rules.countsFromRequest && isOver(cardRead) ? undefined : cardRead,
    entry: isOver(entry) ? undefined : entry,
    itemRead: isOver(itemRead) ? undefined : itemRead,
  }
}

function listedText(isListed: boolean): string {
  return isListed ? 'lists the key' : 'does not list the key'
}
