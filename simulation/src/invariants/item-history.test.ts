import { describe, expect, it } from 'vitest'
import { ItemHistory, type ItemOperation } from './item-history.js'

const put = (value: string): ItemOperation => ({
  text: `put ${value}`,
  apply: () => ({ state: value, answer: 'done' }),
})
const get: ItemOperation = { text: 'get', apply: (state) => ({ state, answer: state }) }

/** The same operation again is another call of it. */
const another = (operation: ItemOperation): ItemOperation => ({ ...operation })

describe('the history of an item', () => {
  it('takes a read of what was written before', () => {
    const history = new ItemHistory(['item'])
    const write = put('a')
    history.called(write)
    history.answered(write, 'done')
    history.called(get)
    expect(() => history.answered(get, 'a')).not.toThrow()
  })

  it('takes either value while both writes are under way, and one order of them for everybody', () => {
    const history = new ItemHistory(['item'])
    const writes = [put('a'), put('b')] as const
    for (const write of writes) history.called(write)
    const reads = [another(get), another(get), another(get)] as const
    for (const read of reads) history.called(read)
    history.answered(reads[0], 'a')
    history.answered(reads[1], 'b')
    for (const write of writes) history.answered(write, 'done')
    const late = another(get)
    history.called(late)
    expect(() => history.answered(late, 'b')).not.toThrow()
  })

  it('takes a removal that found nothing, or came after the write that was under way with it', () => {
    const history = new ItemHistory(['item'])
    const [removal, write, read] = [put(''), put('a'), another(get)] as const
    for (const operation of [removal, write]) history.called(operation)
    history.answered(removal, 'done')
    history.answered(write, 'done')
    history.called(read)
    expect(() => history.answered(read, '')).not.toThrow()
  })

  it('refuses a value that comes back after it was seen replaced', () => {
    const history = new ItemHistory(['item'])
    const writes = [put('a'), put('b')] as const
    for (const write of writes) history.called(write)
    for (const value of ['a', 'b']) {
      const read = another(get)
      history.called(read)
      history.answered(read, value)
    }
    const read = another(get)
    history.called(read)
    history.answered(read, 'a')
    history.answered(writes[0], 'done')
    expect(() => history.answered(writes[1], 'done')).toThrow('as if one operation came after the other')
  })

  it('refuses the loss of a write that was answered', () => {
    const history = new ItemHistory(['item'])
    const write = put('a')
    history.called(write)
    history.answered(write, 'done')
    history.called(get)
    expect(() => history.answered(get, '')).toThrow('could have been only where the item was a')
  })

  it('leaves open whether a write without an answer has happened, and lets it happen once at most', () => {
    const history = new ItemHistory(['item'])
    const [lost, next] = [put('a'), put('b')]
    history.called(lost)
    history.neverAnswered(lost)
    history.called(next)
    history.answered(next, 'done')
    const read = another(get)
    history.called(read)
    expect(() => history.answered(read, 'a')).toThrow('could have been only where the item was b')
  })

  it('leaves open which of two writes without an answer it was, as long as the other one can still happen', () => {
    const history = new ItemHistory(['item'])
    const anyway = put('a')
    const ifMissing: ItemOperation = {
      text: 'create a',
      apply: (state) => (state === '' ? { state: 'a', answer: 'done' } : { state, answer: 'refused' }),
    }
    for (const lost of [anyway, ifMissing]) {
      history.called(lost)
      history.unanswered(lost)
    }
    const [first, write, last] = [another(get), put('b'), another(get)] as const
    history.called(first)
    history.answered(first, 'a')
    history.called(write)
    history.answered(write, 'done')
    history.called(last)
    expect(() => history.answered(last, 'a')).not.toThrow()
  })

  it('refuses the effect of a write that was refused', () => {
    const history = new ItemHistory(['item'])
    const write = put('a')
    history.called(write)
    const read = another(get)
    history.called(read)
    history.answered(read, 'a')
    expect(() => history.refused(write)).toThrow('what was refused has not happened')
  })

  describe('where more happens at a time than can be followed', () => {
    /** Counts, and does not say so: so many orders explain what is answered. */
    const counts = (number: number): ItemOperation => ({
      text: `adds ${number}`,
      apply: (state) => ({ state: state === '' ? `${number}` : `${state},${number}`, answer: 'done' }),
    })
    const reads: ItemOperation = { ...get, leaves: (answer) => answer }

    function givenUp(): ItemHistory {
      const history = new ItemHistory(['item'])
      const many = Array.from({ length: 9 }, (_, number) => counts(number))
      for (const each of many) history.called(each)
      for (const each of many) history.answered(each, 'done')
      expect(history.isGivenUp).toBe(true)
      return history
    }

    it('begins again with what is read, and counts what was not checked', () => {
      const history = givenUp()
      const { unchecked } = history.counts
      const [first, second] = [another(reads), another(reads)] as const
      history.called(first)
      history.answered(first, 'a')
      expect(history.counts).toEqual({ followed: 1, givenUp: 1, answered: 10, unchecked: unchecked + 1 })
      history.called(second)
      expect(() => history.answered(second, 'b')).toThrow('could have been only where the item was a')
    })

    it('leaves open whether what was under way with that came before it or after', () => {
      for (const seen of ['a', 'b', 'c', 'd']) {
        const history = givenUp()
        const [before, after, first, second] = [put('b'), put('c'), another(reads), another(reads)] as const
        for (const call of [before, first, after]) history.called(call)
        history.answered(before, 'done')
        history.answered(first, 'a')
        history.answered(after, 'done')
        history.called(second)
        const answer = expect(() => history.answered(second, seen))
        if (seen === 'd') answer.toThrow('as if one operation came after the other')
        else answer.not.toThrow()
      }
    })
  })
})
