/** Every member of a manifest, strictly: what is not known is refused by its name. */

import { parseDecimal } from '../canonical/decimal.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { listOf } from '../contract/read-list.ts'
import {
  count,
  createChoiceReader,
  freeText,
  readFlag,
  readIdentifier,
  readPointer,
} from '../contract/read-scalar.ts'
import { Fields, type Place, type Read } from '../contract/reader.ts'
import { readJsonTemplate } from '../expression/json-template.ts'
import {
  type Named,
  type Readable,
  readCondition,
  readExpression,
  readTextTemplate,
} from '../expression/read-expression.ts'
import { findAcceptsProblem } from '../fact/accept.ts'
import { FACT_LABELS, type FactLabel } from '../fact/label.ts'
import { LIMITS } from '../limits.ts'
import { isPrintable } from './plain-text.ts'
import { checkExecutor, listMembers } from './read-executor.ts'

/** Before the decision, and after the executor. */
const DECIDING: Readable = { facts: true }
const SETTLING: Readable = { result: true }
const PROBING: Readable = { result: true, status: true }

type Check = Read<void>

export function checkShape(document: JsonValue, place: Place, named: Named): void {
  const fields = new Fields(document, place)
  const readOptional = (name: string, check: Check): void =>
    fields.readDefaulted(name, check, undefined)
  fields.readRequired('manifest', createChoiceReader('rubicon/tool/1'))
  fields.readRequired('kind', readIdentifier)
  fields.readRequired('version', readIdentifier)
  fields.readRequired('summary', freeText)
  fields.readRequired('params', checkParams)
  readOptional('result', checkSchema)
  fields.readRequired(
    'effect',
    createChoiceReader('read', 'put_if_match', 'keyed', 'queryable', 'unsafe'),
  )
  fields.readRequired('reversible', readFlag)
  fields.readDefaulted('reducing', readFlag, false)
  fields.readRequired('risk', createChoiceReader('low', 'medium', 'high', 'critical'))
  fields.readDefaulted('touches', createChoiceReader('none'), 'none')
  readOptional('measures', createExpressions(named))
  readOptional('exposure', checkExposure)
  readOptional(
    'scopes',
    createMap((value, at) => addPointer(readPointer(value, at), named)),
  )
  readOptional(
    'resources',
    createList((value, at) => checkResource(value, at, named)),
  )
  readOptional('reads', (value, at) => checkReads(value, at, named))
  readOptional(
    'jit_fields',
    createMap((value, at) => checkJitField(value, at, named)),
  )
  readOptional('sinks', (value, at) => checkSinks(value, at, named))
  readOptional('accepts', checkAccepts)
  readOptional('cost', createExpressions(named))
  readOptional('precondition', createRequirements(DECIDING, named))
  readOptional('postcondition', createRequirements(SETTLING, named))
  readOptional('delta', (value, at) => {
    if (Array.isArray(value) && value.length === 0) at.refuse('must not be empty')
    createList((op, where) => checkOp(op, where, named))(value, at)
  })
  readOptional(
    'compensations',
    createMap((value, at) => checkExecutor(value, at, named)),
  )
  readOptional('idempotency', checkIdempotency)
  readOptional('probe', (value, at) => checkProbe(value, at, named))
  readOptional('labels', checkLabels)
  fields.readRequired('executor', (value, at) => checkExecutor(value, at, named))
  readOptional('undecided', refuseUndecided)
  fields.end()
}

/**
 * An importer lists what a document does not say. Left out, most of it would mean that there is none, so that nobody
 * has to have looked: the list itself refuses the manifest, whatever is in it.
 */
const refuseUndecided: Check = (value, place) => {
  const names: readonly JsonValue[] = Array.isArray(value)
    ? value.slice(0, LIMITS.manifestList)
    : []
  const told = names.filter((name) => typeof name === 'string' && isPrintable(name)).join(', ')
  place.refuse(`names ${told === '' ? 'something' : told}: decide each, then take it out`)
}

function addPointer(pointer: string, { pointers }: Named): void {
  pointers.add(pointer)
}

/** What is not declared is not sent: parameters are closed. */
const checkParams: Check = (value, place) => {
  checkSchema(value, place)
  if (!isObject(value)) return
  if (value.type !== 'object') place.stepInto('type').refuseValue(value.type, '`object`')
  if (value.additionalProperties !== false)
    place.stepInto('additionalProperties').refuseValue(value.additionalProperties, '`false`')
}

/** That it is a schema is found out where the tool is registered. */
const checkSchema: Check = (value, place) => {
  if (!isObject(value)) place.refuseValue(value, 'a JSON Schema')
}

function createMap(check: Check): Check {
  return (value, place) => {
    for (const [name, one] of listMembers(value, place)) {
      const at = place.stepInto(name)
      if (!isIdentifier(name)) at.refuse('is no name')
      check(one, at)
    }
  }
}

function createList(check: Check): Check {
  return (value, place) => {
    listOf(check, LIMITS.manifestList)(value, place)
  }
}

function createExpressions(named: Named): Check {
  return createMap((value, place) => {
    readExpression(value, place, DECIDING, named)
  })
}

function createRequirements(readable: Readable, named: Named): Check {
  return createList((value, place) => {
    const fields = new Fields(value, place)
    fields.readRequired('require', (condition, at) => {
      readCondition(condition, at, readable, named)
    })
    fields.readRequired('else', freeText)
    fields.end()
  })
}

const checkExposure: Check = (value, place) => {
  const fields = new Fields(value, place)
  fields.readRequired('measure', readIdentifier)
  fields.readRequired('threshold', (threshold, at) => {
    if (typeof threshold !== 'string' || parseDecimal(threshold) === undefined)
      at.refuseValue(threshold, 'a decimal as in "2500.00"')
  })
  fields.end()
}

function checkResource(value: JsonValue | undefined, place: Place, named: Named): void {
  const fields = new Fields(value, place)
  fields.readRequired('id', (id, at) => readTextTemplate(id, at, 'id', named))
  for (const name of ['amount', 'capacity'])
    if (fields.has(name))
      fields.readRequired(name, (one, at) => readExpression(one, at, DECIDING, named))
  fields.end()
}

function checkReads(value: JsonValue | undefined, place: Place, named: Named): void {
  const fields = new Fields(value, place)
  const world = createList((one, at) => {
    const read = new Fields(one, at)
    read.readRequired('kind', readIdentifier)
    read.readRequired('id', (id, where) => readTextTemplate(id, where, 'id', named))
    read.end()
  })
  fields.readDefaulted('world', world, undefined)
  fields.end()
}

function checkJitField(value: JsonValue | undefined, place: Place, named: Named): void {
  if (typeof value === 'string') {
    readTextTemplate(value, place, 'path', named)
    return
  }
  const fields = new Fields(value, place)
  fields.readRequired('path', (path, at) => readTextTemplate(path, at, 'path', named))
  fields.readRequired('kind', createChoiceReader('balance', 'position', 'telemetry'))
  fields.end()
}

function checkSinks(value: JsonValue | undefined, place: Place, named: Named): void {
  for (const [pointer, labels] of listMembers(value, place)) {
    const at = place.stepInto(pointer)
    addPointer(readPointer(pointer, at), named)
    const list: readonly JsonValue[] = Array.isArray(labels) ? labels : []
    if (list.length === 0 || !list.every((one) => FACT_LABELS.includes(one as FactLabel)))
      at.refuseValue(labels, `a list of ${FACT_LABELS.join(', ')}`)
  }
}

const checkAccepts: Check = (value, place) => {
  const problem = findAcceptsProblem(value)
  if (problem !== undefined) place.refuse(problem)
}

function checkOp(value: JsonValue | undefined, place: Place, named: Named): void {
  const fields = new Fields(value, place)
  const op = fields.readRequired(
    'op',
    createChoiceReader('create', 'replace', 'retract', 'increment'),
  )
  fields.readRequired('kind', readIdentifier)
  fields.readRequired('id', (id, at) => readTextTemplate(id, at, 'id', named))
  if (op === 'create' || op === 'replace')
    fields.readRequired('value', (template, at) => {
      if (template === undefined) at.refuse('is missing')
      else readJsonTemplate(template, at, SETTLING, named)
    })
  if (op === 'increment') {
    fields.readRequired('by', (by, at) => readExpression(by, at, SETTLING, named))
    fields.readDefaulted('field', freeText, '')
  }
  fields.end()
}

const checkIdempotency: Check = (value, place) => {
  const fields = new Fields(value, place)
  fields.readRequired('carrier', freeText)
  fields.readRequired('window_s', count(1))
  fields.end()
}

function checkProbe(value: JsonValue | undefined, place: Place, named: Named): void {
  const fields = new Fields(value, place)
  fields.readRequired('absence_authoritative', readFlag)
  fields.readRequired('max_late_arrival_s', count(0))
  fields.readRequired('executor', (executor, at) => checkExecutor(executor, at, named))
  for (const name of ['applied', 'absent'])
    fields.readRequired(name, (condition, at) => readCondition(condition, at, PROBING, named))
  fields.end()
}

const checkLabels: Check = (value, place) => {
  const fields = new Fields(value, place)
  fields.readRequired('result', createChoiceReader('trusted', 'operator', 'external'))
  fields.end()
}
