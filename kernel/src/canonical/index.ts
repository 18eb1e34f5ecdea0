/** Bytes and text that are the same everywhere: strict JSON, addresses, decimals, times, identifiers. */
export {
  type Address,
  computeAddress,
  computeAddressOfBytes,
  computeAddressOfText,
  isAddress,
  toAddressDomain,
} from './address.ts'
export {
  decodeBase64,
  decodeHex,
  decodeUtf8,
  encodeBase64,
  encodeHex,
  encodeUtf8,
  isEqualBytes,
  joinBytes,
} from './bytes.ts'
export { checkJson, checkMessage } from './check-json.ts'
export {
  addDecimal,
  compareDecimal,
  type Decimal,
  formatDecimal,
  isMultipleOf,
  multiplyDecimal,
  parseDecimal,
  toDecimal,
  toMagnitude,
} from './decimal.ts'
export { encodePreAuth, toPayloadType } from './dsse.ts'
export { isDfid, isIdentifier, mintDfid } from './identifier.ts'
export { isObject, type JsonObject, type JsonValue } from './json-value.ts'
export { JSON_LIMITS, type JsonLimits, parseJson } from './parse-json.ts'
export { hashText, type Sha256 } from './sha256.ts'
export { shorten } from './shorten.ts'
export { formatInstant, isExactInstant, parseInstant } from './time.ts'
export { toCanonicalBytes, toCanonicalText } from './write-json.ts'
