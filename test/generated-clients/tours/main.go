package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	petstore "example.com/petstore/client"
)

func must[Value any](value Value, _ any, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func showAll[Value any](values []Value, show func(Value) string) []string {
	shown := []string{}
	for _, value := range values {
		shown = append(shown, show(value))
	}
	return shown
}

func showPet(pet petstore.Pet) string {
	return fmt.Sprintf("%s %d %s", pet.Name, pet.CategoryId, pet.GetStatus())
}

func showValue[Value any](value *Value) string {
	if value == nil {
		return "null"
	}
	return fmt.Sprint(*value)
}

func showChange(change petstore.PetFieldChange) string {
	switch it := change.GetActualInstance().(type) {
	case *petstore.PetNameChange:
		return fmt.Sprintf("%s: %s to %s", it.Field, showValue(it.From.Get()), showValue(it.To.Get()))
	case *petstore.PetCategoryChange:
		return fmt.Sprintf("%s: %s to %s", it.Field, showValue(it.From.Get()), showValue(it.To.Get()))
	case *petstore.PetStatusChange:
		return fmt.Sprintf("%s: %s to %s", it.Field, showValue(it.From.Get()), showValue(it.To.Get()))
	default:
		return fmt.Sprintf("%T", it)
	}
}

func showEvent(event petstore.Event) string {
	switch it := event.GetActualInstance().(type) {
	case *petstore.PetCreatedEvent:
		return fmt.Sprintf("%s: %s %d", it.Type, it.Data.Object.Name, it.Data.Object.CategoryId)
	case *petstore.PetStatusChangedEvent:
		return fmt.Sprintf("%s: %s to %s", it.Type, it.Data.Previous.GetStatus(), it.Data.Object.GetStatus())
	case *petstore.OrderPlacedEvent:
		return fmt.Sprintf("%s: %s", it.Type, it.Data.Object.Status)
	default:
		return fmt.Sprintf("%T", it)
	}
}

func main() {
	ctx := context.WithValue(context.Background(), petstore.ContextAccessToken, os.Getenv("PETSTORE_API_KEY"))
	configuration := petstore.NewConfiguration()
	configuration.Servers = petstore.ServerConfigurations{{URL: os.Getenv("PETSTORE_URL")}}
	client := petstore.NewAPIClient(configuration)

	created := must(client.PetsAPI.CreatePet(ctx).PetToAdd(*petstore.NewPetToAdd("Rex", 1)).Execute())
	pets := must(client.PetsAPI.ListPets(ctx).Execute())
	available := must(client.PetsAPI.ListPets(ctx).Status(petstore.AVAILABLE).Limit(1).Execute())
	found := must(client.PetsAPI.GetPet(ctx, created.Id).Execute())
	usage := must(client.UsageAPI.GetUsage(ctx).Execute())
	history := must(client.PetsAPI.ListPetHistory(ctx, pets[0].Id).Execute())
	events := must(client.EventsAPI.ListEvents(ctx).Execute())

	_, _, err := client.PetsAPI.GetPet(ctx, created.Id+1).Execute()
	var failure *petstore.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic("expected no such pet")
	}
	refused := failure.Model().(petstore.NotFoundError)

	changes := []string{}
	for _, entry := range history {
		changes = append(changes, showAll(entry.Changes, showChange)...)
	}
	told, _ := json.Marshal(map[string]any{
		"created":        showPet(*created),
		"pets":           showAll(pets, showPet),
		"available":      showAll(available, showPet),
		"found":          showPet(*found),
		"requestsPerDay": fmt.Sprint(usage.Day.Limit),
		"history":        changes,
		"events":         showAll(events, showEvent),
		"refused":        fmt.Sprintf("%d %s", refused.Status, refused.Code),
	})
	fmt.Println(string(told))
}
