import { describe, expect, it } from 'vitest'
import { ValidationError } from '../validation-error.js'
import { parseStatement } from './parse-statement.js'
import { inStatement } from './statement-error.js'

function throwing(error: Error) {
  return () => {
    throw error
  }
}

describe('the error of a statement', () => {
  it('has a code for statements that cannot be read, and another for those that are not supported', () => {
    expect(() => parseStatement('SELECT')).toThrow(expect.objectContaining({ code: 'partiql.syntax' }))
    expect(() => parseStatement('DROP TABLE t')).toThrow(expect.objectContaining({ code: 'partiql.refused' }))
  })

  it.each(['ConditionExpression', 'UpdateExpression', 'ProjectionExpression'])(
    'does not name a parameter of the request: %s',
    (parameter) => {
      const error = new ValidationError('expression.name', `Invalid ${parameter}: The name is wrong`)
      expect(() => inStatement(throwing(error))).toThrow(
        expect.objectContaining({ code: 'expression.name', message: 'The name is wrong' }),
      )
    },
  )

  it('keeps what an application wrote, even if it reads like the name of a parameter', () => {
    const message = 'The name is wrong: Invalid UpdateExpression: a'
    const error = new ValidationError('expression.name', message)
    expect(() => inStatement(throwing(error))).toThrow(expect.objectContaining({ message }))
  })

  it('is any other error as it is', () => {
    const error = new TypeError('not of a statement')
    expect(() => inStatement(throwing(error))).toThrow(error)
    expect(() => inStatement(throwing(error))).toThrow(TypeError)
  })
})
