// How engineers state what they settle while they work, in a chat: to develop with. All but the decisions is `terse`'s.
import terse from '../terse/index.mjs';
import { decisions } from './decisions.mjs';

export default {
  ...terse,
  nouns:
    'tenant vault quota ledger webhook crawler thumbnail locale beacon parcel depot kiosk'.split(
      ' ',
    ),
  acts: 'rotation lookup throttle intake rollup warmup handover sharding dedup expiry paging relay'.split(
    ' ',
  ),
  decisions,
};
