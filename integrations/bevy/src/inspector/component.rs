//! Components by reflection.

use bevy_ecs::component::ComponentInfo;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::prelude::*;
use bevy_reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy_reflect::{ReflectMut, ReflectRef, TypeRegistration, TypeRegistry};
use bt_inspector::{Editable, Values};
use serde::de::{DeserializeSeed as _, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// Shows the components of an entity that can be reflected, and applies the edits of pages.
pub(super) fn show(world: &mut World, entity: Entity, registry: &TypeRegistry, values: &mut Values) {
    let Ok(infos) = world.inspect_entity(entity) else { return };
    let reflected = |info: &ComponentInfo| {
        let registration = registry.get(info.type_id()?)?;
        Some((registration, registration.data::<ReflectComponent>()?, info.mutable()))
    };
    let components: Vec<_> = infos.filter_map(|(_, info)| reflected(info)).collect();
    for (registration, component, is_mutable) in components {
        let name = registration.type_info().type_path_table().short_path();
        let Some(value) = component.reflect(world.entity(entity)) else { continue };
        let shown = TypedReflectSerializer::new(value.as_partial_reflect(), registry);
        if serde_json::to_value(&shown).is_err() {
            values.show(name, &format!("{value:?}"));
        } else if !is_mutable {
            values.show(name, &shown);
        } else if let Some(value) = component.reflect_mut(world.entity_mut(entity)) {
            values.edit(name, &mut Reflected { value, registration, registry });
        }
    }
}

/// A component that pages can edit.
struct Reflected<'a> {
    value: Mut<'a, dyn Reflect>,
    registration: &'a TypeRegistration,
    registry: &'a TypeRegistry,
}

impl Serialize for Reflected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TypedReflectSerializer::new(self.value.as_partial_reflect(), self.registry).serialize(serializer)
    }
}

impl Editable for Reflected<'_> {
    fn set<'de, D: Deserializer<'de>>(&mut self, value: D) -> Result<(), D::Error> {
        let value = TypedReflectDeserializer::new(self.registration, self.registry).deserialize(value)?;
        let target = self.value.as_partial_reflect_mut();
        shorten(target, &*value);
        // Parts that are not reflected stay as they are.
        target.try_apply(&*value).map_err(D::Error::custom)
    }
}

/// Removes the elements of lists that a value does not have: `try_apply` keeps them.
fn shorten(target: &mut dyn PartialReflect, value: &dyn PartialReflect) {
    let both = |target: Option<&mut dyn PartialReflect>, value: Option<&dyn PartialReflect>| {
        if let (Some(target), Some(value)) = (target, value) {
            shorten(target, value);
        }
    };
    match (target.reflect_mut(), value.reflect_ref()) {
        (ReflectMut::List(target), ReflectRef::List(value)) => {
            while target.len() > value.len() {
                target.pop();
            }
            (0..value.len()).for_each(|index| both(target.get_mut(index), value.get(index)));
        }
        (ReflectMut::Struct(target), ReflectRef::Struct(value)) => {
            let names = (0..value.field_len()).filter_map(|index| value.name_at(index));
            names.for_each(|name| both(target.field_mut(name), value.field(name)));
        }
        (ReflectMut::TupleStruct(target), ReflectRef::TupleStruct(value)) => {
            (0..value.field_len()).for_each(|index| both(target.field_mut(index), value.field(index)));
        }
        (ReflectMut::Tuple(target), ReflectRef::Tuple(value)) => {
            (0..value.field_len()).for_each(|index| both(target.field_mut(index), value.field(index)));
        }
        (ReflectMut::Array(target), ReflectRef::Array(value)) => {
            (0..value.len()).for_each(|index| both(target.get_mut(index), value.get(index)));
        }
        (ReflectMut::Map(target), ReflectRef::Map(value)) => {
            value.iter().for_each(|(key, value)| both(target.get_mut(key), Some(value)));
        }
        (ReflectMut::Enum(target), ReflectRef::Enum(value)) if target.variant_name() == value.variant_name() => {
            for index in 0..value.field_len() {
                match value.name_at(index) {
                    Some(name) => both(target.field_mut(name), value.field(name)),
                    None => both(target.field_at_mut(index), value.field_at(index)),
                }
            }
        }
        _ => {}
    }
}
