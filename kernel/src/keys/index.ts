/** Who signs: keys, what they are for, where they count. */
export {
  formatHandshake,
  type HandshakeMoment,
  type HandshakePlace,
  type HandshakeTerms,
} from './handshake-text.ts'
export {
  isKeyOfAgent,
  KEY_PURPOSES,
  type KeyFact,
  type KeyPurpose,
  type KeyRecord,
  type Signature,
  type SignatureFact,
} from './key.ts'
export {
  applyKeyEntry,
  createKeySet,
  deriveKeyId,
  foldKeys,
  isCompromisedAt,
  isKeyValidAt,
  type KeyPosition,
  type KeySet,
  toPositionAfter,
  toPositionAt,
} from './key-set.ts'
export { findPublicKeyProblem, hasSmallOrderR } from './weak-point.ts'
