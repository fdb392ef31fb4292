// How leads and careful agents write down what was settled: to check with, not to develop with. All but the decisions is
// `development`'s.
import development from '../development/index.mjs';
import { decisions } from './decisions.mjs';

export default {
  ...development,
  nouns:
    'broker cohort dossier freight gateway harvest tariff jigsaw kernel lantern mosaic nexus'.split(
      ' ',
    ),
  acts: 'binding cleanup digest eviction fanout grouping hashing loading joining keying linting merge'.split(
    ' ',
  ),
  decisions,
};
