import { isPlaceholder, type ValueForm } from './values.ts';

/** A secret of a person's choice in a file of settings: `APP_SECRET=Ocelot-Run7`. */
const CHOSEN_SECRET = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w!#*+-]{8,64}$/;
/** What the name of one has, and a sample. */
const NAMED_SECRET = /secret|token|cred|cert|test|tls|v\d+$|20\d\d$/i;
export const isChosenSecret = (value: string, form: ValueForm): boolean =>
  form === 'env' && CHOSEN_SECRET.test(value) && !NAMED_SECRET.test(value) && !isPlaceholder(value);
