/** The rules for keys in PEM and for all that is no token: what the table's bundle asks for when a text has one of their signs. */
export {
  contextRules,
  keyRules,
  pemBodyEnd,
  plainPlaces,
} from '../capture/redaction/contexts-here.ts';
