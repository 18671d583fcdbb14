import { describe, expect, it } from 'vitest'
import { Answers } from './answers.js'

const outdated = Object.assign(new Error('too old'), { code: 'query.outdated' })
const timeout = Object.assign(new Error('no answer'), { name: 'TimeoutError' })
const refused = Object.assign(new Error('no'), { name: 'ConditionalCheckFailedException' })

function answersOf(unanswered: number, operation = 'Query'): Answers {
  const answers = new Answers({ mayCome: (error) => error !== 'query.outdated', mostUnanswered: () => 0.5 })
  for (let call = 0; call < 40; call++) {
    if (call < unanswered) answers.failed(operation, timeout)
    else answers.answered(operation)
  }
  return answers
}

describe('what applications are told', () => {
  it('breaks nothing as long as they are mostly answered', () => {
    expect(() => answersOf(20).check()).not.toThrow()
  })

  it('breaks a rule where they hardly are', () => {
    expect(() => answersOf(21).check()).toThrow('applications are answered: 21 of 40 calls of Query')
  })

  it('counts what was refused for a reason as told', () => {
    const answers = answersOf(20, 'PutItem')
    for (let call = 0; call < 40; call++) answers.failed('PutItem', refused)
    expect(() => answers.check()).not.toThrow()
  })

  it('breaks a rule at once where nothing brings the error about', () => {
    expect(() => answersOf(0).failed('Query', outdated)).toThrow(
      'an error has a cause: Query ends with query.outdated',
    )
  })

  it('is not judged by a few calls', () => {
    const answers = new Answers({ mayCome: () => true, mostUnanswered: () => 0 })
    for (let call = 0; call < 29; call++) answers.failed('Query', timeout)
    expect(() => answers.check()).not.toThrow()
  })
})
