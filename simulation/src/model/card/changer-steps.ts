import type { CardRules } from './card-rules.js'
import { type CardWorld, type Changer, LAST_OF_RETURN, LAST_STAGE, SETTLED, WAITING } from './card-world.js'
import { expired, type Step } from './reader-steps.js'

/** What a process that changes the count may do next. */
export function changerSteps(world: CardWorld, index: number, rules: CardRules): readonly Step[] {
  const changer = world.changers[index]
  if (changer === undefined) return []
  const becomes = (label: string, part: Partial<Changer>, rest: Partial<CardWorld> = {}): Step => ({
    label: `changer ${index} ${label}`,
    world: {
      ...world,
      ...rest,
      changers: world.changers.map((each, at) => (at === index ? { ...changer, ...part } : each)),
    },
  })
  const lists = { isListed: true, version: world.version + 1 }
  switch (changer.at) {
    case 'idle':
      return [becomes('adds the item', { at: 'created' }, rules.createsItemFirst ? { hasItem: true } : {})]
    case 'created':
      if (!SETTLED.includes(world.stage)) return []
      return [becomes(`reads stage ${world.stage}`, { at: 'read', stage: world.stage })]
    case 'read':
      return rules.listsFirst
        ? [becomes('lists the key', { at: 'listed' }, lists)]
        : [begins(world, changer, rules, becomes)]
    case 'listed':
      return [begins(world, changer, rules, becomes)]
    case 'written':
      return drives(world, changer, rules, becomes)
    case 'version read':
      return [ends(world, changer, rules, becomes)]
    case 'ended':
      return [comesOff(world, changer, rules, becomes)]
  }
}

type Becomes = (label: string, part: Partial<Changer>, rest?: Partial<CardWorld>) => Step

/** Writes the change, if the state is still the one that was read. Whoever is not first begins again. */
function begins(world: CardWorld, { stage }: Changer, rules: CardRules, becomes: Becomes): Step {
  const isFirst = world.stage === stage
  if (!isFirst && rules.locksState) return becomes('is not the first', { at: 'idle' })
  const lists = rules.listsFirst ? {} : { isListed: true, version: world.version + 1 }
  const label = rules.listsFirst
    ? `writes stage ${stage + 1}`
    : `writes stage ${stage + 1}, and lists the key later`
  const written = { stage: stage + 1, hasItem: true, isOverwritten: world.isOverwritten || !isFirst }
  // Listed later: in a step of its own, when the change is under way.
  if (!rules.listsFirst) {
    return becomes(label, { at: 'written', stage: stage + 1, version: -1 }, { ...written })
  }
  return becomes(label, { at: 'written', stage: stage + 1 }, { ...written, ...lists })
}

function drives(world: CardWorld, changer: Changer, rules: CardRules, becomes: Becomes): readonly Step[] {
  const { stage } = changer
  const late: Step[] =
    changer.version === -1
      ? [becomes('lists the key', { version: 0 }, { isListed: true, version: world.version + 1 })]
      : []
  if (world.stage !== stage || stage >= LAST_STAGE) return late
  if (stage === LAST_OF_RETURN) {
    const read = becomes('reads the version of the card', { at: 'version read', version: world.version })
    if (rules.readsVersionFirst) return [...late, read]
    return [...late, ends(world, { ...changer, version: -2 }, rules, becomes)]
  }
  const reader = WAITING.includes(stage) ? expired(world.reader, stage, rules) : world.reader
  const isOver = SETTLED.includes(stage + 1)
  const next = becomes(
    `writes stage ${stage + 1}`,
    { at: isOver ? 'idle' : 'written', stage: stage + 1 },
    { stage: stage + 1, reader },
  )
  return [...late, next]
}

/** The key has the initial count again. */
function ends(world: CardWorld, { stage, version }: Changer, rules: CardRules, becomes: Becomes): Step {
  return becomes(
    `writes stage ${stage + 1}`,
    { at: 'ended', stage: stage + 1, version },
    { stage: stage + 1, reader: expired(world.reader, stage, rules) },
  )
}

function comesOff(world: CardWorld, { version }: Changer, rules: CardRules, becomes: Becomes): Step {
  if (version === -2) return becomes('reads the version of the card', { version: world.version })
  const isSame = version === world.version
  const isDone = isSame || !rules.unlistsByVersion
  return isDone
    ? becomes('takes the key off the card', { at: 'idle' }, { isListed: false, version: world.version + 1 })
    : becomes('leaves the key on the card', { at: 'idle' })
}
