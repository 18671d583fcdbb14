import type { Exception } from '../exception.js'
import { all, any, equalErrorsBut, texts } from '../predicates.js'

const OVERLAP = /Two document paths (overlap|conflict) with each other/
const SYNTAX = /^Invalid \w+Expression: Syntax error; /

/** Differences about expressions. */
export const EXPRESSIONS: readonly Exception[] = [
  {
    name: 'names-other-paths',
    reason:
      'DynamoDB Local sees that two paths overlap or conflict, and then names two others: often a path that touches none.',
    source: 'Known oddity of DynamoDB Local 3.3.1: the paths it names need not overlap.',
    applies: all(
      texts(OVERLAP, OVERLAP),
      equalErrorsBut(({ message }) => message.replace(/; path one: .*$/, '')),
    ),
  },
  {
    name: 'overlap-or-conflict',
    reason: 'Of several pairs of paths that overlap or conflict, DynamoDB Local names another pair.',
    source: 'Known oddity of DynamoDB Local 3.3.1: the paths it names need not overlap.',
    applies: texts(OVERLAP, OVERLAP),
  },
  {
    name: 'syntax-error-elsewhere',
    reason: 'The parser of DynamoDB Local sometimes continues after a wrong token, and reports a later one.',
    source: 'Observed: its ANTLR grammar recovers by leaving one token out.',
    applies: all(
      texts(SYNTAX, SYNTAX),
      equalErrorsBut(({ message }) => message.replace(/: Syntax error; .*$/s, '')),
    ),
  },
  {
    name: 'value-as-a-step-of-a-path',
    reason:
      'The grammar of DynamoDB Local lets a `:placeholder` follow the dot of a path, and then looks for it among the names.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.Attributes.html: steps of a path are names, `#placeholders` and indexes.',
    applies: any(
      texts(
        SYNTAX,
        /An expression attribute name used in the document path is not defined; attribute name: :|^Invalid UpdateExpression: Internal server error$/,
      ),
      // It then checks the other rules of an update.
      texts(
        /^Invalid UpdateExpression: Syntax error; token: ":\w+", near: "\. :/,
        /^Invalid UpdateExpression: Two document paths overlap with each other/,
      ),
    ),
  },
]
