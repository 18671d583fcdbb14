// No bugs are planted in the texts of errors: people read them, and a test that repeats a text says nothing that the text does not. Texts in which the
// engine repeats the service's words count, because programs compare them.
const TEXT_AT = { IsothermError: 1, LocalError: 1, Error: 0, TypeError: 0, RangeError: 0 }

/** Its values are the report of an assertion. */
const ASSERTION = 'requireInvariant'

class ErrorTexts {
  shouldIgnore({ node, parent, listKey, key }) {
    if (listKey !== 'arguments') return undefined
    const { name } = parent.callee
    const isText =
      parent.type === 'NewExpression'
        ? TEXT_AT[name] === key && isJoined(node)
        : name === ASSERTION && key > 0
    return isText ? 'the text of an error' : undefined
  }
}

/** Texts, and texts and values joined. A text that is chosen by a condition is left. */
function isJoined(node) {
  if (node.type === 'BinaryExpression')
    return node.operator === '+' && isJoined(node.left) && isJoined(node.right)
  return node.type === 'StringLiteral' || node.type === 'TemplateLiteral'
}

const create = () => new ErrorTexts()
create.inject = []

export const strykerPlugins = [{ kind: 'Ignore', name: 'error-texts', factory: create }]
